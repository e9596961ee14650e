# says: 'program' would have two units called 'generated/de_vice.cu' or nearly so: their names differ in punctuation at most. Rename one of the two sources.
find_package(Weft REQUIRED)
file(COPY_FILE "${CMAKE_CURRENT_SOURCE_DIR}/device.cu" "${CMAKE_CURRENT_BINARY_DIR}/de-vice.cu")
file(COPY_FILE "${CMAKE_CURRENT_SOURCE_DIR}/device.cu" "${CMAKE_CURRENT_BINARY_DIR}/de_vice.cu")
add_executable(program "${CMAKE_CURRENT_BINARY_DIR}/de-vice.cu"
               "${CMAKE_CURRENT_BINARY_DIR}/de_vice.cu" host.cpp)
weft_device_thinlto(TARGET program)
