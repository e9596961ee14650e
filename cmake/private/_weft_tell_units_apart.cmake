include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_target_sources.cmake")

# _weft_tell_units_apart(<target> <libraries>)
#
# Gives distinct names to units that a program would have twice under one name, because two of its
# targets compile the same source, usually with different definitions. The name of such a unit is
# followed by `@` and the target, except for the target that brought the source to Weft first.
#
# A source that no program has twice keeps its plain name, even if it is in several programs. So
# programs that compile the same source share the results of its jobs, and a new target changes
# names only in the programs that link it.
#
# A target's suffix for a source is in the property of the target that _weft_suffix_property names.
# The suffix stays once it is set: the compiler gets it (`-cuid`), and all programs share one
# object.
function(_weft_tell_units_apart target libraries)
  set(once "")
  set(twice "")
  foreach(library IN LISTS libraries ITEMS ${target})
    get_target_property(is_marked ${library} WEFT_DEVICE_THINLTO)
    if(is_marked)
      _weft_target_sources(sources _ _ _ ${library})
      list(REMOVE_DUPLICATES sources)
      foreach(source IN LISTS sources)
        _weft_own_source(${library} "${source}")
        if(source IN_LIST once)
          list(APPEND twice "${source}")
        endif()
        list(APPEND once "${source}")
      endforeach()
    endif()
  endforeach()
  if(NOT twice)
    return()
  endif()
  list(REMOVE_DUPLICATES twice)
  foreach(library IN LISTS libraries ITEMS ${target})
    _weft_target_sources(sources _ _ _ ${library})
    foreach(source IN LISTS twice)
      _weft_suffix_property(property "${source}")
      get_property(owner GLOBAL PROPERTY ${property})
      if(source IN_LIST sources AND NOT owner STREQUAL library)
        set_property(TARGET ${library} PROPERTY ${property} "@${library}")
      endif()
    endforeach()
  endforeach()
endfunction()

# _weft_own_source(<target> <source>)
#
# Records that the target has the plain name of the source, unless an earlier target has it.
function(_weft_own_source target source)
  _weft_suffix_property(property "${source}")
  get_property(is_owned GLOBAL PROPERTY ${property} SET)
  if(NOT is_owned)
    set_property(GLOBAL PROPERTY ${property} ${target})
  endif()
endfunction()

# _weft_suffix_property(<out> <source>)
#
# Sets <out> to the name of a property. On a target, the property holds the suffix of its unit made
# of the source; on the project, it holds the target whose unit has no suffix.
function(_weft_suffix_property out source)
  _weft_module_id(module_id "${source}")
  string(MD5 key "${module_id}")
  set(${out} "WEFT_SUFFIX_${key}" PARENT_SCOPE)
endfunction()
