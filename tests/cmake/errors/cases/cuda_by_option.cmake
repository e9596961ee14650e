# says: by the option -x cuda, but its C++ compiler is GNU
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
set_source_files_properties(host.cpp PROPERTIES COMPILE_OPTIONS "-x;cuda")
weft_device_thinlto(TARGET program)
