# says: 'program' has sources that cannot be told at configure time: $<1:device.cu>. Name its source files one by one.
find_package(Weft REQUIRED)
add_executable(program $<1:device.cu> host.cpp)
weft_device_thinlto(TARGET program)
