# says: REPORT_AGAINST of 'program', which has no REPORT to compare with it.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program REPORT_AGAINST before.json)
