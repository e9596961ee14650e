# says: unknown option '--maxregcount=64' for 'program'. The nearest are --maxrregcount,
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS -O2 --maxregcount=64)
