# says: REPORT 'report.txt' of 'other' is that of another target. Give each target a file of its own.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program REPORT report.txt)
add_executable(other device.cu host.cpp)
weft_device_thinlto(TARGET other REPORT report.txt)
