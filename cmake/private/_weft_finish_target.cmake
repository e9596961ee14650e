include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_architectures.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_check_options.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_collect_units.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_link_program.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_mark_dependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_mark_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_target_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_tell_units_apart.cmake")

# _weft_finish_target(<target>)
#
# Finishes the target when its sources and libraries are known: at the end of the folder that makes
# it or, for a library that another folder marks, of that folder.
function(_weft_finish_target target)
  _weft_target_sources(cuda host libraries unreadable ${target})
  if(unreadable)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' has sources that cannot be told at "
                        "configure time: ${unreadable}. Name its source files one by one.")
  endif()
  # A unity build hides units: CMake joins CUDA sources from version 3.31 on, and all others.
  get_target_property(is_unity ${target} UNITY_BUILD)
  if(is_unity)
    set_property(TARGET ${target} PROPERTY UNITY_BUILD OFF)
    message(STATUS "Weft: ${target} is built without UNITY_BUILD, which hides units")
  endif()
  # An unset property is accepted, while OFF is an error: only a setting shows an intention.
  get_target_property(is_separable ${target} CUDA_SEPARABLE_COMPILATION)
  if(cuda AND DEFINED is_separable AND NOT is_separable AND NOT is_separable MATCHES "NOTFOUND$")
    message(FATAL_ERROR "weft_device_thinlto: '${target}' is not to be compiled separately: its "
                        "property CUDA_SEPARABLE_COMPILATION is ${is_separable}, from the target "
                        "or from CMAKE_CUDA_SEPARABLE_COMPILATION. Weft needs units that can be "
                        "linked. Set it to ON, or remove the call.")
  endif()
  set(cuda_by_language ${cuda})
  list(REMOVE_ITEM cuda_by_language ${cuda_by_option})
  if(cuda_by_option)
    _weft_check_options(${target} CXX ${cuda_by_option})
  endif()
  if(cuda_by_language)
    _weft_check_options(${target} CUDA ${cuda_by_language})
  endif()
  get_target_property(type ${target} TYPE)
  # The name of the project keeps apart the units of a library and those of programs elsewhere.
  set(project "")
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set(project "${CMAKE_PROJECT_NAME}/")
  endif()
  _weft_own_sources(_ ${target})
  set(named ${cuda})
  set(clang "${CMAKE_CUDA_COMPILER_VERSION}")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    # nvcc takes no such name.
    set(named ${cuda_by_option})
    set(clang "${CMAKE_CXX_COMPILER_VERSION}")
  endif()
  foreach(source IN LISTS named)
    # Without this option clang derives the names of local symbols from a hash of the absolute path,
    # and equal checkouts give different code. Before clang 20 the driver does not pass it on.
    set(option "-cuid=")
    if(clang VERSION_LESS 20)
      set(option "SHELL:-Xclang -cuid=")
    endif()
    _weft_module_id(module_id "${source}")
    _weft_suffix_property(suffix "${source}")
    set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<BOOL:$<TARGET_PROPERTY:WEFT_DEVICE_THINLTO>>:${option}${project}${module_id}$<TARGET_PROPERTY:${suffix}>>")
  endforeach()

  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$" AND NOT cuda)
    _weft_check_library(${target})
    return()
  endif()
  _weft_architectures(architectures ${target})
  _weft_mark_sources(${target} "${architectures}" "${cuda_by_option}")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    _weft_compile_to_lto_ir(${target} "${architectures}")
  endif()
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    return()
  endif()

  get_target_property(marks_dependencies ${target} WEFT_MARKS_DEPENDENCIES)
  if(marks_dependencies)
    _weft_mark_dependencies(${target})
  endif()
  _weft_collect_units(${target} "${architectures}")
  get_target_property(cuda_units ${target} WEFT_CUDA_UNITS)
  if(NOT cuda_units)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' has no CUDA sources, and none of the "
                        "libraries it links has some that are marked. Remove the call, or give "
                        "host sources with device code the property LANGUAGE CUDA.")
  endif()
  _weft_link_program(${target} "${architectures_real}" "${architectures_virtual}")
endfunction()

# _weft_compile_to_lto_ir(<target> <architectures>)
#
# Has nvcc compile the CUDA units of a target to LTO IR for each architecture. CMake's own options
# would have it make machine code or PTX, which nothing would read. WEFT_ARCHITECTURES keeps what
# CUDA_ARCHITECTURES was. The option for relocatable code is given here, as CMake would link the
# device code of all that link a static library with CUDA_SEPARABLE_COMPILATION.
function(_weft_compile_to_lto_ir target architectures)
  set(options "-rdc=true")
  foreach(architecture IN LISTS architectures)
    string(REGEX REPLACE "^sm_" "" number "${architecture}")
    string(APPEND options " --generate-code=arch=compute_${number},code=lto_${number}")
  endforeach()
  get_target_property(wanted ${target} CUDA_ARCHITECTURES)
  set_target_properties(${target} PROPERTIES
    WEFT_ARCHITECTURES "${wanted}"
    CUDA_ARCHITECTURES OFF
    CUDA_SEPARABLE_COMPILATION OFF)
  target_compile_options(${target} PRIVATE "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:${options}>")
endfunction()

# _weft_check_library(<target>)
#
# Fails if a marked library of host code has nothing to do with CUDA: neither objects of a library
# with CUDA sources nor such a library behind it.
function(_weft_check_library target)
  _weft_linked_libraries(libraries _ ${target})
  foreach(library IN LISTS libraries)
    _weft_target_sources(cuda _ _ _ ${library})
    if(cuda)
      return()
    endif()
  endforeach()
  if(NOT libraries_imported)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' has no CUDA sources. A library of host "
                        "code needs no call: what links it reads its objects anyway.")
  endif()
endfunction()
