include_guard(GLOBAL)

# _weft_step_folder(<out> <target>)
#
# Sets <out> to the folder of a target's steps, relative to the target's build folder. With Ninja
# Multi-Config each configuration has its own, by a generator expression.
function(_weft_step_folder out target)
  set(folder "${target}.weft")
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()
