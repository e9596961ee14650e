# says: 'program' has no CUDA sources, and none of the libraries it links has some that are marked.
find_package(Weft REQUIRED)
add_executable(program host.cpp)
weft_device_thinlto(TARGET program)
