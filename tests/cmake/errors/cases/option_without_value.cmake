# says: option '--closure-limit' of 'program' needs a value: --closure-limit=VALUE.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program OPTIONS --closure-limit)
