include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_properties.cmake")

# _weft_link_device_code_once(<target>)
#
# Keeps clang from linking the device code of a program a second time, without Weft, when it links
# the host code. Libraries such as Kokkos give all that link them `--offload-new-driver` as an
# option of the link. The last such option counts, and libraries come after all options.
function(_weft_link_device_code_once target)
  get_target_property(options ${target} LINK_OPTIONS)
  get_target_property(flags ${target} LINK_FLAGS)
  _weft_linked_properties(linked ${target} INTERFACE_LINK_OPTIONS)
  set(texts "${options};${flags};${linked};${CMAKE_EXE_LINKER_FLAGS};${CMAKE_SHARED_LINKER_FLAGS}")
  string(APPEND texts ";${CMAKE_MODULE_LINKER_FLAGS};${CMAKE_CXX_FLAGS};${CMAKE_CUDA_FLAGS}")
  if(NOT texts MATCHES "--offload-new-driver")
    return()
  endif()
  foreach(language CXX CUDA)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES
                 "$<$<LINK_LANG_AND_ID:${language},Clang>:--no-offload-new-driver>")
  endforeach()
endfunction()
