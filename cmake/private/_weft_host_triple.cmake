include_guard(GLOBAL)

# _weft_host_triple(<out>)
#
# Sets <out> to the target triple of the CUDA compiler's host code.
function(_weft_host_triple out)
  if(CMAKE_CUDA_COMPILER_TARGET)
    set(${out} "${CMAKE_CUDA_COMPILER_TARGET}" PARENT_SCOPE)
    return()
  endif()
  get_property(triple GLOBAL PROPERTY WEFT_HOST_TRIPLE)
  if(NOT triple)
    execute_process(COMMAND "${CMAKE_CUDA_COMPILER}" -print-target-triple
                    OUTPUT_VARIABLE triple OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    set_property(GLOBAL PROPERTY WEFT_HOST_TRIPLE "${triple}")
  endif()
  set(${out} "${triple}" PARENT_SCOPE)
endfunction()
