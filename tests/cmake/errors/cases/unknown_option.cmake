# says: unknown option '-Ofast' for 'program'. Known are -O0 to -O3,
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS -O2 -Ofast)
