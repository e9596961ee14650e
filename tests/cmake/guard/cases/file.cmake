# says: has to link the library by its name as a target of this project or of a package that is there when CMake configures, not by a file that the build makes or an expression that Weft cannot evaluate
target_link_libraries(program "${CMAKE_CURRENT_BINARY_DIR}/liblibrary.a")
add_dependencies(program library)
