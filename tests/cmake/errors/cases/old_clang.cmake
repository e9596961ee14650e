# says: the CUDA compiler is clang 21.1.0, whose bitcode differs from what Weft reads. Weft needs clang 22: configure a fresh build folder
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
# This version stands for an older clang, which the tests do not have.
set(CMAKE_CUDA_COMPILER_VERSION 21.1.0)
weft_device_thinlto(TARGET program)
