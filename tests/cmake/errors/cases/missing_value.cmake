# says: weft_device_thinlto: no value after REPORT.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program REPORT)
