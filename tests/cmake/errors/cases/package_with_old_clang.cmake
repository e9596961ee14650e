# says: the CUDA compiler is clang 21.1.0
set(CMAKE_CUDA_COMPILER_VERSION 21.1.0)
find_package(Weft REQUIRED)
