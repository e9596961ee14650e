include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_base.cmake")

# _weft_add_step(<outputs> <depends> <command> <comment> [<depfile> [<stamp> <then>]])
#
# Adds a step that runs one of Weft's executables, which leave an output alone if its content stays
# the same, so that the steps that depend on the output need not run. Each argument is one list; a
# large build has thousands of steps, and keywords would take most of the time.
#
# Ninja handles outputs that stay: CMake gives every custom command `restat`. Make would run the
# command in each build, as the output stays older than the input. So with Make the command makes a
# stamp instead, and each output depends on the stamp by a recipe that does nothing: Make looks at
# the output's time after the recipe and goes on only if it is new. `:` in the top folder of the
# build is a recipe that Make executes without a process.
#
# A step with a depfile runs in the folder that _weft_step_base says, any other in the build folder
# of the current directory.
#
# <stamp> and <then> apply to Make only. <stamp> is an output of the command that serves as the
# stamp, because a depfile must be a rule for it. <then> is a command that makes the outputs from
# the stamp.
function(_weft_add_step outputs depends command comment)
  # Most of a large build's steps are of this kind.
  if(ARGC EQUAL 4 AND CMAKE_GENERATOR MATCHES "^Ninja")
    add_custom_command(OUTPUT ${outputs} DEPENDS ${depends} COMMAND ${command}
                       COMMENT "${comment}" VERBATIM)
    return()
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  # Beyond ARGC, a variable ARGV<n> is that of the calling function.
  if(ARGC GREATER 4)
    _weft_step_base(folder)
  endif()
  set(options COMMENT "${comment}" WORKING_DIRECTORY "${folder}" VERBATIM)
  if(ARGC GREATER 4)
    list(APPEND options DEPFILE "${ARGV4}")
  endif()
  _weft_keeps_depfiles(is_kept)
  if(is_kept)
    _weft_add_step_with_own_depfile("${outputs}" "${depends}" "${command}" "${options}")
    return()
  elseif(CMAKE_GENERATOR MATCHES "^Ninja")
    add_custom_command(OUTPUT ${outputs} DEPENDS ${depends} COMMAND ${command} ${options})
    return()
  endif()
  list(GET outputs 0 stamp)
  string(APPEND stamp ".stamp")
  set(then "")
  if(ARGC GREATER 6)
    set(stamp "${ARGV5}")
    set(then COMMAND ${ARGV6})
  endif()
  add_custom_command(OUTPUT "${stamp}" DEPENDS ${depends} COMMAND ${command} ${then}
                     COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}" ${options})
  foreach(output IN LISTS outputs)
    add_custom_command(OUTPUT "${output}" DEPENDS "${stamp}" COMMAND ":" COMMENT ""
                       WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" VERBATIM)
  endforeach()
endfunction()

# CMake leaves the depfile as it is: see _weft_keeps_depfiles. A function's policies are those of
# the place that defines it.
cmake_policy(PUSH)
if(CMAKE_VERSION VERSION_LESS 4)
  cmake_policy(SET CMP0116 OLD)
endif()
function(_weft_add_step_with_own_depfile outputs depends command options)
  add_custom_command(OUTPUT ${outputs} DEPENDS ${depends} COMMAND ${command} ${options})
endfunction()
cmake_policy(POP)
