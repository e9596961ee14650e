# says: the CUDA compiler is clang 15.0.7, whose bitcode Weft does not read. Weft needs nvcc 13 or clang 16 to 22: configure a fresh build folder
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
# This version stands for an older clang, which the tests do not have.
set(CMAKE_CUDA_COMPILER_VERSION 15.0.7)
weft_device_thinlto(TARGET program)
