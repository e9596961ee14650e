# says: 'early' is made in another folder. Call it in
find_package(Weft REQUIRED)
add_subdirectory(late)
add_subdirectory(early)
weft_device_thinlto(TARGET early)
