# says: there is no file
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS --thinlto-workload-def=missing.json)
