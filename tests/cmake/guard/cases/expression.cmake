# says: kernel _Z14library_kernelPi is not in the image for sm_90 registered by liblibrary.a(library.cu.o), whose device code for sm_90 was not linked
target_link_libraries(program $<$<LINK_LANGUAGE:CUDA>:library>)
