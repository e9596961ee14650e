include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_target_sources.cmake")

# _weft_tell_units_apart(<target> <libraries>)
#
# Gives distinct names to units that a program would have twice under one name, because two of its
# targets compile the same source, usually with different definitions. The name of such a unit is
# followed by `@` and the target, except for the target that brought the name to Weft first. A
# target may also have two sources of one name, as `generated/` stands for the build tree and may be
# a folder of the source tree, too: then the second has `~2` behind its name.
#
# A source that no program has twice keeps its plain name, even if it is in several programs. So
# programs that compile the same source share the results of its jobs, and a new target changes
# names only in the programs that link it.
#
# A target's suffix for a source is in the property that _weft_suffix_property names, and
# WEFT_SUFFIXES lists all suffixes of the target. A suffix stays once it is set: the compiler gets
# it (`-cuid`), and all programs share one object.
function(_weft_tell_units_apart target libraries)
  set(names "")
  foreach(library IN LISTS libraries ITEMS ${target})
    _weft_own_sources(names_of_library ${library})
    list(APPEND names ${names_of_library})
  endforeach()
  set(once ${names})
  list(REMOVE_DUPLICATES once)
  list(LENGTH names count)
  list(LENGTH once count_once)
  if(count EQUAL count_once)
    return()
  endif()
  list(SORT names)
  set(twice "")
  set(last "")
  foreach(name IN LISTS names)
    if(name STREQUAL last)
      list(APPEND twice "${name}")
    endif()
    set(last "${name}")
  endforeach()
  list(REMOVE_DUPLICATES twice)
  foreach(library IN LISTS libraries ITEMS ${target})
    get_property(names TARGET ${library} PROPERTY WEFT_NAMES)
    get_property(sources TARGET ${library} PROPERTY WEFT_NAMED_SOURCES)
    foreach(name source IN ZIP_LISTS names sources)
      get_property(owner GLOBAL PROPERTY "WEFT_FIRST_${name}")
      _weft_suffix_property(property "${source}")
      get_property(suffix TARGET ${library} PROPERTY ${property})
      if(name IN_LIST twice AND NOT owner STREQUAL library AND NOT suffix MATCHES "^@")
        set_property(TARGET ${library} PROPERTY ${property} "@${library}${suffix}")
        set_property(TARGET ${library} APPEND PROPERTY WEFT_SUFFIXES "${name}@${library}${suffix}")
      endif()
    endforeach()
  endforeach()
endfunction()

# _weft_own_sources(<out> <target>)
#
# Sets <out> to the names of the units that Weft reads of a target: all of a marked one, and those
# of host code of another one. Records for each name that no earlier target has that this target
# has it first.
function(_weft_own_sources out target)
  _weft_target_sources(cuda host _ _ ${target})
  get_target_property(is_marked ${target} WEFT_DEVICE_THINLTO)
  set(sources ${host})
  if(is_marked)
    set(sources ${cuda} ${host})
  endif()
  get_property(known TARGET ${target} PROPERTY WEFT_NAMED_SOURCES)
  if(NOT sources STREQUAL known)
    set(names "")
    foreach(source IN LISTS sources)
      _weft_module_id(name "${source}")
      if("${name}" IN_LIST names)
        _weft_suffix_property(property "${source}")
        set_property(TARGET ${target} PROPERTY ${property} "~2")
        set_property(TARGET ${target} APPEND PROPERTY WEFT_SUFFIXES "${name}~2")
        string(APPEND name "~2")
      endif()
      list(APPEND names "${name}")
      get_property(is_owned GLOBAL PROPERTY "WEFT_FIRST_${name}" SET)
      if(NOT is_owned)
        set_property(GLOBAL PROPERTY "WEFT_FIRST_${name}" ${target})
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES
      WEFT_NAMES "${names}"
      WEFT_NAMED_SOURCES "${sources}")
  endif()
  get_property(names TARGET ${target} PROPERTY WEFT_NAMES)
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# _weft_suffix_property(<out> <source>)
#
# Sets <out> to the name of the property that holds the suffix of a target's unit made of the
# source. Expressions take only names of few characters, so the name holds a hash of the path.
function(_weft_suffix_property out source)
  string(MD5 key "${source}")
  set(${out} "WEFT_SUFFIX_${key}" PARENT_SCOPE)
endfunction()
