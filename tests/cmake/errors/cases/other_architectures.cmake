# says: 'program' is built for sm_90, but 'library', which it links, for sm_80 only. Build both for the same ARCHITECTURES.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library ARCHITECTURES sm_80)
add_executable(program host.cpp)
target_link_libraries(program library)
weft_device_thinlto(TARGET program ARCHITECTURES sm_90)
