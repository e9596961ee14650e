# says: the generator 'Xcode' is not supported. Configure a fresh build folder with -G Ninja, -G "Ninja Multi-Config" or -G "Unix Makefiles".
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
set(CMAKE_GENERATOR Xcode)
weft_device_thinlto(TARGET program)
