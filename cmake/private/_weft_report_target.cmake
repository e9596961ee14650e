include_guard(GLOBAL)

# _weft_report_target(<out> <target> <file>)
#
# Makes the target weft_report, which prints the reports of all targets, unless it exists. Sets
# <out> to the absolute path of the report of <target>, which will be <file>, or to the empty string
# if <file> is empty.
#
# The targets with reports are known only at the end of the configuration, so the command reads the
# property WEFT_REPORTS of weft_report then.
function(_weft_report_target out target file)
  if(NOT TARGET weft_report)
    set(reports "$<TARGET_PROPERTY:weft_report,WEFT_REPORTS>")
    string(CONCAT none "No target has a report. To get one say weft_device_thinlto(TARGET <target> "
                       "REPORT <file>).")
    string(REPLACE ">" "$<ANGLE-R>" none "${none}")
    add_custom_target(weft_report
      COMMAND "${CMAKE_COMMAND}" -E "$<IF:$<BOOL:${reports}>,cat,echo>"
              "$<IF:$<BOOL:${reports}>,${reports},${none}>"
      COMMAND_EXPAND_LISTS USES_TERMINAL VERBATIM)
  endif()
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
  get_target_property(reports weft_report WEFT_REPORTS)
  if(path IN_LIST reports)
    message(FATAL_ERROR "weft_device_thinlto: REPORT '${file}' of '${target}' is that of another "
                        "target. Give each target a file of its own.")
  endif()
  set_property(TARGET weft_report APPEND PROPERTY WEFT_REPORTS "${path}")
  set(${out} "${path}" PARENT_SCOPE)
endfunction()
