include_guard(GLOBAL)

# _weft_list_folder(<out> <target>)
#
# Sets <out> to the folder of the lists that steps of a target read, relative to the target's build
# folder. CMake writes them when it generates, and no step makes them again. So they are not in the
# folder of the steps, whose files the build makes again if somebody removes them.
function(_weft_list_folder out target)
  set(folder "CMakeFiles/${target}.weft")
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()
