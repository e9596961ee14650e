# says: option '-Ofast' of 'program': the values of -O are 0, 1, 2, 3,
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS -Ofast)
