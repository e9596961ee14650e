# says: weft_device_thinlto: the CUDA compiler is nvcc 12.6.20, whose LTO IR Weft does not read. Weft needs nvcc 13 or clang 16 to 22: configure a fresh build folder with -DCMAKE_CUDA_COMPILER=
# with: nvcc
# Nobody has to install such a version to see the message.
find_package(Weft REQUIRED)
set(CMAKE_CUDA_COMPILER_VERSION 12.6.20)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
