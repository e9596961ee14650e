# says: DEPENDENCIES of 'library', which is a library. Give it to the programs that link the library.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library DEPENDENCIES)
