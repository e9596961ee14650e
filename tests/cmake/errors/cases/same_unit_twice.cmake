# says: 'program' would have two units called 'device.cu' or nearly so. Compile the source once,
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library)
add_executable(program device.cu host.cpp)
target_link_libraries(program library)
weft_device_thinlto(TARGET program)
