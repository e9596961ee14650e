# says: nvlink is not in /nowhere/bin: set CUDAToolkit_ROOT to a CUDA toolkit that has it.
# says: `backend-job doctor` says what is there and what is missing.
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT /nowhere)
find_package(Weft REQUIRED)
