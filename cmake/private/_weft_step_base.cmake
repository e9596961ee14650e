include_guard(GLOBAL)

# _weft_step_base(<out>)
#
# Sets <out> to the folder in which steps with a depfile run: the build folder of the current
# directory or, if CMake leaves depfiles as they are, the top one, whose paths Ninja has.
function(_weft_step_base out)
  set(base "${CMAKE_CURRENT_BINARY_DIR}")
  _weft_keeps_depfiles(is_kept)
  if(is_kept)
    set(base "${CMAKE_BINARY_DIR}")
  endif()
  set(${out} "${base}" PARENT_SCOPE)
endfunction()

# _weft_keeps_depfiles(<out>)
#
# Sets <out> to whether the build reads depfiles as steps write them. Otherwise CMake rewrites them
# by another process, which takes longer than most imports. CMake 4 no longer accepts the
# policy without a warning. Make's depfiles, and those of several configurations, are CMake's to
# read in any case.
function(_weft_keeps_depfiles out)
  set(is_kept OFF)
  if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT CMAKE_NINJA_OUTPUT_PATH_PREFIX
     AND CMAKE_VERSION VERSION_LESS 4)
    set(is_kept ON)
  endif()
  set(${out} ${is_kept} PARENT_SCOPE)
endfunction()
