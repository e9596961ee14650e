# says: is to have PTX for sm_90, but device code without bitcode is part of it: device.o.
find_package(Weft REQUIRED)
add_executable(program device.cu host.cpp)
weft_device_thinlto(TARGET program ARCHITECTURES 90-virtual OPAQUE device.o)
