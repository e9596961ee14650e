# says: 'early' links 'late', made after the end of its folder. Move the add_subdirectory of the library before that of 'early'.
find_package(Weft REQUIRED)
add_subdirectory(early)
add_subdirectory(late)
