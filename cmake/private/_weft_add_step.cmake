include_guard(GLOBAL)

# _weft_add_step(OUTPUTS <file>... DEPENDS <file>... COMMAND <argument>... COMMENT <text>
#                [DEPFILE <file>] [STAMP <file> THEN <argument>...])
#
# Adds a step that runs one of Weft's executables. These leave an output alone if its content stays
# the same, so that the steps that depend on the output need not run.
#
# Ninja handles that: CMake gives every custom command `restat`. Make would run the command in each
# build, as the output stays older than the input. So with Make the command makes a stamp instead,
# and each output depends on the stamp by a recipe that does nothing: Make looks at the output's
# time after the recipe and goes on only if it is new. `:` in the top folder of the build is a
# recipe that Make executes without a process.
#
# STAMP and THEN apply to Make only. STAMP is an output of the command that serves as the stamp,
# because a depfile must be a rule for it. THEN is a command that makes the outputs from the stamp.
function(_weft_add_step)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "COMMENT;DEPFILE;STAMP" "OUTPUTS;DEPENDS;COMMAND;THEN")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "_weft_add_step: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(options COMMENT "${arg_COMMENT}" WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" VERBATIM)
  if(arg_DEPFILE)
    list(APPEND options DEPFILE "${arg_DEPFILE}")
  endif()
  if(CMAKE_GENERATOR STREQUAL "Ninja")
    add_custom_command(OUTPUT ${arg_OUTPUTS} DEPENDS ${arg_DEPENDS} COMMAND ${arg_COMMAND}
                       ${options})
    return()
  endif()
  if(NOT arg_STAMP)
    list(GET arg_OUTPUTS 0 arg_STAMP)
    string(APPEND arg_STAMP ".stamp")
  endif()
  if(arg_THEN)
    list(PREPEND arg_THEN COMMAND)
  endif()
  add_custom_command(OUTPUT "${arg_STAMP}" DEPENDS ${arg_DEPENDS} COMMAND ${arg_COMMAND}
                     ${arg_THEN} COMMAND "${CMAKE_COMMAND}" -E touch "${arg_STAMP}" ${options})
  foreach(output IN LISTS arg_OUTPUTS)
    add_custom_command(OUTPUT "${output}" DEPENDS "${arg_STAMP}" COMMAND ":" COMMENT ""
                       WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" VERBATIM)
  endforeach()
endfunction()
