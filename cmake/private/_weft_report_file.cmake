include_guard(GLOBAL)

# _weft_report_file(<out> <target> <file>)
#
# Sets <out> to the absolute path of the report of <target>, which will be <file>, or to the empty
# string if <file> is empty.
function(_weft_report_file out target file)
  set(${out} "" PARENT_SCOPE)
  if(NOT file)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    message(FATAL_ERROR "weft_device_thinlto: REPORT of '${target}', whose device code is linked "
                        "only by the programs that take it in. Give REPORT to them.")
  endif()
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE
             OUTPUT_VARIABLE path)
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config" AND NOT path MATCHES "\\$<CONFIG>")
    cmake_path(GET path FILENAME name)
    cmake_path(REPLACE_FILENAME path "$<CONFIG>/${name}")
  endif()
  get_property(reports GLOBAL PROPERTY WEFT_REPORTS)
  if(path IN_LIST reports)
    message(FATAL_ERROR "weft_device_thinlto: REPORT '${file}' of '${target}' is that of another "
                        "target. Give each target a file of its own.")
  endif()
  set_property(GLOBAL APPEND PROPERTY WEFT_REPORTS "${path}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()
