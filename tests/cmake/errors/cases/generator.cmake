# says: the generator 'Ninja Multi-Config' is not supported. Configure a fresh build folder with -G Ninja or -G "Unix Makefiles".
# with: Ninja Multi-Config
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
