include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_arithmetic.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_libraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_mark_target.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_target_sources.cmake")

# _weft_mark_dependencies(<program>)
#
# Marks the libraries with CUDA sources that a program links and nobody marked, with the program's
# options of arithmetic. A library with CUDA_SEPARABLE_COMPILATION off has device code that is
# complete, and stays as it is.
function(_weft_mark_dependencies program)
  _weft_linked_libraries(libraries _ ${program})
  get_target_property(arithmetic ${program} WEFT_ARITHMETIC_OPTIONS)
  foreach(library IN LISTS libraries)
    get_target_property(is_marked ${library} WEFT_DEVICE_THINLTO)
    get_target_property(is_separable ${library} CUDA_SEPARABLE_COMPILATION)
    _weft_target_sources(cuda _ _ _ ${library})
    if(is_marked OR NOT cuda OR is_separable STREQUAL "OFF")
      continue()
    endif()
    _weft_arithmetic(${library} "${arithmetic}")
    _weft_mark_target(${library})
    _weft_finish_target(${library})
  endforeach()
endfunction()
