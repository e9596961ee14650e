# says: 'program' is to be built for 'hopper'. Name architectures such as sm_90
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program ARCHITECTURES hopper)
