include_guard(GLOBAL)

# _weft_summary_place(<out> <target> <unit> <architecture>)
#
# Sets <out> to the folder of a unit's summary and bitcode in a program, and <out>_is_made to
# whether a step of another program makes them already; from then on this program's does.
#
# With Ninja, all programs share the summaries of a library's units, in `<library>.weft` beside the
# library, or for a package's library in `external.weft` of the build tree: Ninja has one graph,
# so that a step serves any folder. Make has a graph for each target, so there each program makes
# its own, and so does a program with a report, whose steps also write that they ran.
function(_weft_summary_place out target unit architecture)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.weft/${architecture}")
  set(is_made OFF)
  get_target_property(report ${target} WEFT_REPORT)
  get_target_property(archives ${target} WEFT_ARCHIVES)
  get_property(owner TARGET ${target} PROPERTY "WEFT_OWNER_${unit}")
  if(CMAKE_GENERATOR STREQUAL "Ninja" AND NOT report)
    if(owner)
      get_target_property(binary_folder ${owner} BINARY_DIR)
      set(folder "${binary_folder}/${owner}.weft/${architecture}")
    elseif("${unit}" IN_LIST archives)
      get_property(object TARGET ${target} PROPERTY "WEFT_OBJECT_${unit}")
      string(MD5 key "${object}")
      string(SUBSTRING ${key} 0 8 key)
      set(folder "${CMAKE_BINARY_DIR}/external.weft/${key}/${architecture}")
    endif()
    string(MD5 key "${folder}/${unit}")
    get_property(is_made GLOBAL PROPERTY WEFT_SUMMARY_${key} SET)
    set_property(GLOBAL PROPERTY WEFT_SUMMARY_${key} ON)
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
  set(${out}_is_made "${is_made}" PARENT_SCOPE)
endfunction()
