include_guard(GLOBAL)

# _weft_device_options(<out> <compiler>)
#
# Sets <out> to the options of a compiler, Clang or NVIDIA, with which a unit's object holds device
# code for Weft: bitcode or LTO IR. The architectures are not among them.
function(_weft_device_options out compiler)
  # The header makes the link of a program with the unit's host code fail unless Weft links the
  # program.
  set(header "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/weft_reference.h")
  if(compiler STREQUAL "NVIDIA")
    set(${out} "-include=${header}" PARENT_SCOPE)
    return()
  endif()
  set(options --offload-new-driver -fgpu-rdc -foffload-lto
    # With virtual tables of the whole program, virtual calls whose classes are all known become
    # direct.
    -Xarch_device -fwhole-program-vtables
    # nvcc does not conclude from the types of two pointers that they point to different places.
    -Xarch_device -fno-strict-aliasing
    # These limits of clang, at -O3 and below, leave the unrolling of loops to ptxas.
    -Xarch_device -mllvm=-unroll-threshold-aggressive=1
    -Xarch_device -mllvm=-unroll-threshold-default=1
    -Xarch_host "-include${header}")
  # From CUDA 13 on, Thrust and CUB are in a folder of their own, which nvcc searches by itself.
  set(cccl "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/include/cccl")
  if(EXISTS "${cccl}")
    list(APPEND options -idirafter "${cccl}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
