include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_evaluate.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_properties.cmake")

# _weft_check_ptxas_options(<target> <source>...)
#
# Fails if a compile option of the target's CUDA sources limits the registers by ptxas, which the
# compiler does not start for a unit of Weft: clang would ignore the limit without a word.
function(_weft_check_ptxas_options target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(flags ${target} COMPILE_FLAGS)
  _weft_linked_properties(linked ${target} INTERFACE_COMPILE_OPTIONS)
  set(all "${CMAKE_CUDA_FLAGS};${CMAKE_CUDA_FLAGS_${configuration}};${flags};${options};${linked}")
  foreach(source IN LISTS ARGN)
    get_source_file_property(options "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    get_source_file_property(flags "${source}" TARGET_DIRECTORY ${target} COMPILE_FLAGS)
    string(APPEND all ";${options};${flags}")
  endforeach()
  set(pattern "-Xcuda-ptxas[ ;=]+--?maxrregcount")
  # Few targets have the option, and the evaluation takes time.
  if(all MATCHES "${pattern}")
    set(weft_language CUDA)
    _weft_evaluate(all ${target} "${all}")
    if(all MATCHES "${pattern}")
      message(FATAL_ERROR "weft_device_thinlto: '${target}' compiles with -Xcuda-ptxas "
                          "--maxrregcount, and the compiler runs no ptxas for its units. Write "
                          "OPTIONS --maxrregcount=N.")
    endif()
  endif()
endfunction()
