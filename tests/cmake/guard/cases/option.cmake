# says: kernel _Z13option_kernelPi is not in the image for sm_90 registered by CMakeFiles/program.dir/option.cpp.o, whose device code for sm_90 was not linked
target_link_libraries(program library)
target_sources(program PRIVATE option.cpp)
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/options.rsp" "-x cuda --cuda-path=${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT} --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version --offload-new-driver -fgpu-rdc -foffload-lto")
set_source_files_properties(option.cpp PROPERTIES COMPILE_OPTIONS
  "@${CMAKE_CURRENT_BINARY_DIR}/options.rsp")
