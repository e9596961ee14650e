include_guard(GLOBAL)

# _weft_exports(<out> <target>)
#
# Sets <out> to whether other files of a process may refer to host symbols of the linked target: a
# shared library, or a program with plugins.
function(_weft_exports out target)
  get_target_property(type ${target} TYPE)
  get_target_property(has_exports ${target} ENABLE_EXPORTS)
  set(${out} OFF PARENT_SCOPE)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$" OR (type STREQUAL "EXECUTABLE" AND has_exports))
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()
