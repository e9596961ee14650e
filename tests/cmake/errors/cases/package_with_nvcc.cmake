# says: the CUDA compiler is nvcc, whose objects hold no bitcode that can be read. Weft needs clang 16 to 22: configure a fresh build folder with -DCMAKE_CUDA_COMPILER=
# with: nvcc
find_package(Weft REQUIRED)
