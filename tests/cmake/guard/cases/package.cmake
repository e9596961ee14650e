# says: libpackaged.a(library.cu.o), whose device code for sm_90 was not linked
find_package(package REQUIRED)
target_link_libraries(program package::packaged)
