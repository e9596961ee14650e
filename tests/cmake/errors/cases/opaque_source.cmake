# says: OPAQUE 'device.cu' of 'program' is no device code that nvlink takes.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPAQUE device.cu)
