# says: called twice for 'program'. Once is enough.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
weft_device_thinlto(TARGET program)
