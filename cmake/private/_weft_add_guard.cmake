include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_guard(<target>)
#
# Adds the guard to the link of a program: `weft guard` checks the linked file and removes it if its
# host code registers kernels or variables that its image lacks. Its images and manifests are set
# later, by _weft_link_program, in the property WEFT_GUARD.
#
# The linker lists the files that it read in a dependency file. From version 3.27 on, CMake's own
# dependency file may replace this one, as linkers write only one; then the guard reads CMake's.
#
# The command is added in the call of weft_device_thinlto and not at the end of the folder, so that
# it runs before commands after the link that are added later, which may run or copy the program.
function(_weft_add_guard target)
  _weft_step_folder(folder ${target})
  string(PREPEND folder "${CMAKE_CURRENT_BINARY_DIR}/")
  target_link_options(${target} PRIVATE "SHELL:-Xlinker \"--dependency-file=${folder}/link.d\"")
  set_property(TARGET ${target} APPEND PROPERTY ADDITIONAL_CLEAN_FILES "${folder}/link.d")
  # The dependency file names the inputs as the linker's command does: relative to the folder in
  # which the linker ran.
  if(CMAKE_GENERATOR MATCHES "^Ninja")
    set(place "${CMAKE_BINARY_DIR}")
  else()
    set(place "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  # CMake's own file is in a folder of the configuration, where there are several.
  set(cmake_folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir")
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    string(APPEND cmake_folder "/$<CONFIG>")
  endif()
  get_target_property(weft Weft::weft IMPORTED_LOCATION)
  add_custom_command(TARGET ${target} POST_BUILD
                     COMMAND "${weft}" guard --remove --advice-for cmake
                             --dependency-file "${folder}/link.d"
                             --dependency-file "${cmake_folder}/link.d"
                             "$<GENEX_EVAL:$<TARGET_PROPERTY:${target},WEFT_GUARD>>"
                             "$<TARGET_FILE:${target}>"
                     WORKING_DIRECTORY "${place}" COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
