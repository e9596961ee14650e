# says: device.cu). Instead: OPTIONS --maxrregcount=N
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
set_source_files_properties(device.cu PROPERTIES COMPILE_OPTIONS "-Xcuda-ptxas;-maxrregcount;-Xcuda-ptxas;32")
weft_device_thinlto(TARGET program)
