include_guard(GLOBAL)

# _weft_mark_target(<target>)
#
# Marks a target as one whose device code Weft links: its CUDA units are compiled to device bitcode,
# and CMake links none of it.
function(_weft_mark_target target)
  set_target_properties(${target} PROPERTIES
    WEFT_DEVICE_THINLTO ON
    # Weft links the device code, so CMake must not.
    CUDA_RESOLVE_DEVICE_SYMBOLS OFF)
  set(header "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/weft_reference.h")
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CUDA>:--offload-new-driver;-fgpu-rdc;-foffload-lto>"
    # With virtual tables of the whole program, virtual calls whose classes are all known become
    # direct.
    "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-Xarch_device -fwhole-program-vtables>"
    # These limits of clang, at -O3 and below, leave the unrolling of loops to ptxas.
    "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-Xarch_device -mllvm=-unroll-threshold-aggressive=1>"
    "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-Xarch_device -mllvm=-unroll-threshold-default=1>"
    # The header makes the link of a program with the unit's host code fail unless Weft links the
    # program.
    "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-Xarch_host \"-include${header}\">")
  # From CUDA 13 on, Thrust and CUB are in a folder of their own, which nvcc searches by itself.
  set(cccl "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/include/cccl")
  if(EXISTS "${cccl}")
    target_compile_options(${target} PRIVATE
      "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-idirafter \"${cccl}\">")
  endif()
endfunction()
