# says: 'program' links 'library', whose device code is compiled to be linked, but not by Weft. Call weft_device_thinlto(TARGET library) too, or give 'program' the argument DEPENDENCIES.
find_package(Weft REQUIRED)
add_library(library STATIC device.cu)
set_target_properties(library PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_executable(program device.cu host.cpp)
target_link_libraries(program library)
weft_device_thinlto(TARGET program)
