# says: 'program' is to be built for '90-virtual'. Weft makes machine code only
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program ARCHITECTURES 90-virtual)
