# says: option '-O2' of 'library' is for the device link, and this target is a library.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library OPTIONS --ftz=1 -O2)
