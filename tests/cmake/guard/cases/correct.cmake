target_link_libraries(program library)
target_sources(library PRIVATE extra.cu)
