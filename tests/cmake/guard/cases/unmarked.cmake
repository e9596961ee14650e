# says: undefined reference to `weft_did_not_link_the_device_code_of_this_program'
# not left: unmarked
target_link_libraries(program library)
add_executable(unmarked unmarked.cpp)
target_link_libraries(unmarked $<$<LINK_LANGUAGE:CXX>:library>)
set_target_properties(unmarked PROPERTIES LINKER_LANGUAGE CXX)
