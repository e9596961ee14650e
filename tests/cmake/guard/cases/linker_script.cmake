# says: kernel _Z12extra_kernelPi was removed as nothing refers to it, but
# The script, whose name does not tell that it is one, has the linker take a member that it would
# leave out.
target_sources(library PRIVATE extra.cu)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/needs.input" "EXTERN(_Z9use_extrav)\n")
target_link_libraries(program "${CMAKE_CURRENT_BINARY_DIR}/needs.input" library)
