include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_object_of.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_tell_units_apart.cmake")

# _weft_units_of(<out> <target> <cuda sources> <host sources>)
#
# Sets <out>_cuda and <out>_host to the module ids of the units that a target of this project
# compiles, in the order of their sources, and properties of the target:
#
# WEFT_UNITS_CUDA, WEFT_UNITS_HOST      the same ids
# WEFT_OBJECTS_CUDA, WEFT_OBJECTS_HOST  the unit's objects, in the same order: paths or generator
#                                       expressions
#
# The lists are made once for a library and not for each program that links it, unless its sources
# or the names of its units change in between.
function(_weft_units_of out target cuda host)
  get_property(key TARGET ${target} PROPERTY WEFT_UNITS_KEY)
  get_property(suffixes TARGET ${target} PROPERTY WEFT_SUFFIXES)
  if(NOT key STREQUAL "${cuda}|${host}|${suffixes}")
    foreach(kind cuda host)
      string(TOUPPER ${kind} upper)
      set(units "")
      set(objects "")
      foreach(source IN LISTS ${kind})
        _weft_module_id(module_id "${source}")
        _weft_suffix_property(property "${source}")
        get_property(suffix TARGET ${target} PROPERTY ${property})
        _weft_object_of(object ${target} "${source}")
        list(APPEND units "${module_id}${suffix}")
        list(APPEND objects "${object}")
      endforeach()
      set_target_properties(${target} PROPERTIES
        WEFT_UNITS_${upper} "${units}"
        WEFT_OBJECTS_${upper} "${objects}")
    endforeach()
    set_property(TARGET ${target} PROPERTY WEFT_UNITS_KEY "${cuda}|${host}|${suffixes}")
  endif()
  foreach(kind CUDA HOST)
    string(TOLOWER ${kind} lower)
    get_property(units TARGET ${target} PROPERTY WEFT_UNITS_${kind})
    set(${out}_${lower} "${units}" PARENT_SCOPE)
  endforeach()
endfunction()
