# says: 'program' has sources that cannot be told at configure time: $<$<TARGET_POLICY:CMP0001>:device.cu>. Name its source files one by one.
find_package(Weft REQUIRED)
add_executable(program $<$<TARGET_POLICY:CMP0001>:device.cu> host.cpp)
weft_device_thinlto(TARGET program)
