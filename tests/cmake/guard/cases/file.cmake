# says: has to link the library by its name as a target of this project, not by a generator expression, a file or find_package
target_link_libraries(program $<TARGET_FILE:library>)
add_dependencies(program library)
