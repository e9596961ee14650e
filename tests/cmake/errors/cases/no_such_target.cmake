# says: there is no target 'program'. Call it after add_executable or add_library.
find_package(Weft REQUIRED)
weft_device_thinlto(TARGET program)
add_executable(program device.cu host.cpp)
