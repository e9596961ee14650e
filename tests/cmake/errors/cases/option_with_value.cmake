# says: option '--search=1' of 'program': --search takes no value.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS --search=1)
