# says: -Xcuda-ptxas --maxrregcount=32 (its COMPILE_OPTIONS). Instead: OPTIONS --maxrregcount=N
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
target_compile_options(program PRIVATE "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:-Xcuda-ptxas --maxrregcount=32>")
weft_device_thinlto(TARGET program)
