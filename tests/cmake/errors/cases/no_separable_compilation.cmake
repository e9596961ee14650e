# says: 'program' is not to be compiled separately: its property CUDA_SEPARABLE_COMPILATION is OFF
find_package(Weft REQUIRED)
set(CMAKE_CUDA_SEPARABLE_COMPILATION OFF)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
