include_guard(GLOBAL)

# _weft_step_base(<out>)
#
# Sets <out> to the folder in which steps with a depfile run. In the top folder of the build the
# paths that a step writes into its depfile are those that Ninja has. From any other folder CMake
# would rewrite the depfile by a process of its own, which takes longer than most imports. Make's
# depfiles, and those of several configurations, are CMake's to read in any case.
function(_weft_step_base out)
  set(base "${CMAKE_CURRENT_BINARY_DIR}")
  if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT CMAKE_NINJA_OUTPUT_PATH_PREFIX)
    set(base "${CMAKE_BINARY_DIR}")
  endif()
  set(${out} "${base}" PARENT_SCOPE)
endfunction()
