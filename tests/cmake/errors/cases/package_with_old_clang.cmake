# says: the CUDA compiler is clang 15.0.7
set(CMAKE_CUDA_COMPILER_VERSION 15.0.7)
find_package(Weft REQUIRED)
