# says: OPAQUE 'gone.cubin' of 'program' does not exist. Relative names count from
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPAQUE gone.cubin)
