# says: 'late' is marked after the end of the folder of 'early', which links it. Mark it before, or call weft_device_thinlto(TARGET early DEPENDENCIES).
find_package(Weft REQUIRED)
add_subdirectory(late)
add_subdirectory(early)
weft_device_thinlto(TARGET late)
