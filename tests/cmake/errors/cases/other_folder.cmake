# says: 'late' is made in another folder. Call it in
find_package(Weft REQUIRED)
add_subdirectory(late)
weft_device_thinlto(TARGET late)
