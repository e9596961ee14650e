# says: 'program' links 'library', whose device code Weft is to link, but is not marked. Call weft_device_thinlto(TARGET program) too.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
weft_device_thinlto(TARGET library)
add_executable(program host.cpp)
target_link_libraries(program library)
