include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_architecture_fits.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_archive_members.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_collect_imported.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_exports.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_host_info_gap.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_host_link_options.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_job_units.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_library_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_opaque_id.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_target_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_tell_units_apart.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_units_of.cmake")

# _weft_collect_units(<target> <architectures>)
#
# Finds the units of a program: the units of the target and of the static and object libraries that
# the target links, those of the project and those of packages, for which _weft_collect_imported
# sets properties, too. Sets properties of the target:
#
# WEFT_LIBRARIES       these libraries
# WEFT_UNMARKED_LIBRARIES  those with CUDA sources that are not marked
# WEFT_CUDA_UNITS      module ids of the units with device code, sorted
# WEFT_JOB_UNITS       those of them that have a job: all, unless the option --full packs them
# WEFT_LINK_ORDER      the same ids in link order: sources of the target, then libraries
# WEFT_ARCHIVE_MEMBERS ids of units, with those of host code, that the host linker may leave out
# WEFT_HOST_LINK_OPTIONS  options of the host link that may name kernels and variables
# WEFT_SHARED_LIBRARIES  the shared libraries that it links, but for CUDA's
# WEFT_MAKERS          targets that compile the units, whose properties _weft_units_of describes
# WEFT_OPAQUE_UNITS    module ids of the files with device code but no bitcode, sorted
# WEFT_DEVICE_LIBRARIES  module ids of the libraries of device bitcode, which are units, too
# WEFT_OBJECT_<id>     path of an opaque file, or of such a library, as it was given
# WEFT_HOST_INFO_GAPS  reasons why host code may exist outside of the units; empty if there are none
function(_weft_collect_units target architectures)
  _weft_linked_libraries(libraries gaps ${target})
  _weft_tell_units_apart(${target} "${libraries}")
  set(cuda_units "")
  set(opaque_units "")
  set(device_libraries "")
  set(unmarked "")
  set(makers "")
  foreach(library IN LISTS libraries ITEMS ${target})
    set(link_order_of_${library} "")
    _weft_target_sources(cuda host _ unreadable ${library})
    _weft_host_info_gap(gap ${library})
    list(APPEND gaps ${gap})
    if(unreadable)
      list(APPEND gaps "sources of ${library} cannot be told at configure time")
    endif()
    get_target_property(is_marked ${library} WEFT_DEVICE_THINLTO)
    get_target_property(is_separable ${library} CUDA_SEPARABLE_COMPILATION)
    if(is_marked AND cuda)
      _weft_architectures(present ${library})
      foreach(architecture IN LISTS architectures)
        _weft_architecture_fits(fits ${architecture} ${present})
        if(NOT fits)
          message(FATAL_ERROR "weft_device_thinlto: '${target}' is built for ${architecture}, but "
                              "'${library}', which it links, for ${present} only. Build both for "
                              "the same ARCHITECTURES.")
        endif()
      endforeach()
    elseif(cuda AND is_separable)
      message(FATAL_ERROR "weft_device_thinlto: '${target}' links '${library}', whose device code "
                          "is compiled to be linked, but not by Weft. Call "
                          "weft_device_thinlto(TARGET ${library}) too, or give '${target}' the "
                          "argument DEPENDENCIES.")
    elseif(cuda)
      list(APPEND gaps "${library} has CUDA sources and is not marked")
      list(APPEND unmarked ${library})
      continue()
    endif()
    get_target_property(opaque ${library} WEFT_OPAQUE)
    if(opaque)
      foreach(path IN LISTS opaque)
        _weft_opaque_id(module_id "${path}")
        list(APPEND opaque_units "${module_id}")
        set_property(TARGET ${target} PROPERTY "WEFT_OBJECT_${module_id}" "${path}")
      endforeach()
    endif()
    get_target_property(given ${library} WEFT_LIBRARY_FILES)
    if(given)
      foreach(path IN LISTS given)
        _weft_library_id(module_id "${path}")
        get_property(known TARGET ${target} PROPERTY "WEFT_OBJECT_${module_id}")
        if(known AND NOT known STREQUAL path)
          message(FATAL_ERROR "weft_device_thinlto: '${target}' has two LIBRARIES that are called "
                              "${module_id}: ${known} and ${path}. Name one of them differently.")
        endif()
        list(APPEND device_libraries "${module_id}")
        set_property(TARGET ${target} PROPERTY "WEFT_OBJECT_${module_id}" "${path}")
      endforeach()
    endif()
    get_target_property(is_unity ${library} UNITY_BUILD)
    if(is_unity)
      continue()
    endif()
    _weft_units_of(units ${library} "${cuda}" "${host}")
    list(APPEND makers ${library})
    list(APPEND cuda_units ${units_cuda})
    set(link_order_of_${library} "${units_cuda}")
  endforeach()
  set(link_order "")
  foreach(library IN ITEMS ${target} LISTS libraries)
    list(APPEND link_order ${link_order_of_${library}})
  endforeach()
  _weft_collect_imported(imported ${target} "${architectures}" ${libraries_imported})
  list(REMOVE_DUPLICATES device_libraries)
  list(APPEND cuda_units ${imported} ${device_libraries})
  list(APPEND link_order ${imported} ${device_libraries})
  _weft_archive_members(archive_members ${target} "${libraries_all}" "${makers}")
  _weft_host_link_options(host_link_options ${target} "${libraries_all}")
  set(shared_libraries "")
  foreach(library IN LISTS libraries_all)
    if(TARGET "${library}" AND NOT library STREQUAL target AND NOT library MATCHES "^CUDA::")
      get_target_property(type ${library} TYPE)
      if(type STREQUAL "SHARED_LIBRARY")
        list(APPEND shared_libraries "${library}")
      endif()
    endif()
  endforeach()
  list(SORT cuda_units)
  _weft_job_units(job_units ${target} ${cuda_units})
  list(REMOVE_DUPLICATES opaque_units)
  list(SORT opaque_units)
  list(REMOVE_DUPLICATES gaps)
  set_target_properties(${target} PROPERTIES
    WEFT_LIBRARIES "${libraries}"
    WEFT_UNMARKED_LIBRARIES "${unmarked}"
    WEFT_CUDA_UNITS "${cuda_units}"
    WEFT_JOB_UNITS "${job_units}"
    WEFT_LINK_ORDER "${link_order}"
    WEFT_ARCHIVE_MEMBERS "${archive_members}"
    WEFT_HOST_LINK_OPTIONS "${host_link_options}"
    WEFT_SHARED_LIBRARIES "${shared_libraries}"
    WEFT_MAKERS "${makers}"
    WEFT_OPAQUE_UNITS "${opaque_units}"
    WEFT_DEVICE_LIBRARIES "${device_libraries}"
    WEFT_HOST_INFO_GAPS "${gaps}")
  _weft_exports(exports ${target})
  if(gaps)
    list(JOIN gaps "; " gaps)
    message(STATUS "Weft: ${target} keeps kernels that nothing launches: ${gaps}")
  elseif(exports)
    message(STATUS "Weft: ${target} keeps kernels whose host symbols it exports")
  endif()
endfunction()
