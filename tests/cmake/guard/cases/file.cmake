# says: has to link the library by its name as a target of this project, not by a file, find_package or an expression that Weft cannot evaluate
target_link_libraries(program "${CMAKE_CURRENT_BINARY_DIR}/liblibrary.a")
add_dependencies(program library)
