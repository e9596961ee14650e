include_guard(GLOBAL)

# _weft_summary_place(<out> <target> <architecture> <maker>)
#
# Sets <out> to the folder of summaries and bitcode in a program, for the units that the target
# <maker> compiles or, if no target has that name, for the file of a package at the path <maker>.
#
# Programs share the summaries of a library's units, in `<library>.weft` beside the library, or for
# a package's library in `external.weft` of the build tree. A program with a report makes its own,
# as its steps also write that they ran.
function(_weft_summary_place out target architecture maker)
  get_target_property(report ${target} WEFT_REPORT)
  if(report)
    set(maker ${target})
  endif()
  if(TARGET "${maker}")
    get_target_property(folder ${maker} BINARY_DIR)
    _weft_step_folder(steps ${maker})
    string(APPEND folder "/${steps}")
  else()
    string(MD5 key "${maker}")
    string(SUBSTRING ${key} 0 8 key)
    set(folder "${CMAKE_BINARY_DIR}/external.weft/${key}")
  endif()
  set(${out} "${folder}/${architecture}" PARENT_SCOPE)
endfunction()
