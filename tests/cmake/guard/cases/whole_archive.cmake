# says: variable library_variable is not in the image for sm_90 registered by liblibrary.a(library.cu.o),
target_link_libraries(program $<LINK_LIBRARY:WHOLE_ARCHIVE,library>)
