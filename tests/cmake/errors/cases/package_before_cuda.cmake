# says: the language CUDA is not enabled. Say project(... LANGUAGES CXX CUDA) before find_package(Weft).
set(CMAKE_CUDA_COMPILER_LOADED OFF)
find_package(Weft REQUIRED)
