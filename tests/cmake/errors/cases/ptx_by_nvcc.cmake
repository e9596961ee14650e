# says: weft_device_thinlto: 'program' is to have PTX for sm_90, which is made of clang's bitcode alone.
# with: nvcc
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program ARCHITECTURES 90-virtual)
