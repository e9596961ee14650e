# says: 'headers' is nothing that this project compiles.
find_package(Weft REQUIRED)
add_library(headers INTERFACE)
weft_device_thinlto(TARGET headers)
