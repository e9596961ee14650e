# says: 'library' has no CUDA sources. A library of host code needs no call
find_package(Weft REQUIRED)
add_library(library STATIC host.cpp)
weft_device_thinlto(TARGET library)
