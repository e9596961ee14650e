# says: weft_device_thinlto: the CUDA compiler is nvcc, whose objects hold no bitcode that can be read.
# with: nvcc
find_package(Weft)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program)
