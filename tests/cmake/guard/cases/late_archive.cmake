# says: has to link the library by its name as a target of this project or of a package that is there when CMake configures, not by a file that the build makes
add_custom_command(OUTPUT late/liblate.a
                   COMMAND "${CMAKE_COMMAND}" -E copy "$<TARGET_FILE:library>" late/liblate.a
                   DEPENDS library VERBATIM)
add_custom_target(makes_late DEPENDS late/liblate.a)
add_library(late STATIC IMPORTED)
set_target_properties(late PROPERTIES IMPORTED_LOCATION
                      "${CMAKE_CURRENT_BINARY_DIR}/late/liblate.a")
add_dependencies(late makes_late)
target_link_libraries(program late)
