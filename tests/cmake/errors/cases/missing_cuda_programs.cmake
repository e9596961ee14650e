# says: fatbinary is not in /nowhere/bin: set CUDAToolkit_ROOT to a CUDA toolkit that has it. `weft doctor` says what is there
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT /nowhere)
find_package(Weft REQUIRED)
