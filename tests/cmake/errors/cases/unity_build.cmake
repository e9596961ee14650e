# says: 'program' is a unity build, which hides its units. Set its property UNITY_BUILD to OFF.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
set_target_properties(program PROPERTIES UNITY_BUILD ON)
