include_guard(GLOBAL)

# _weft_compiler_problem(<out>)
#
# Sets <out> to the reason why Weft cannot work with this project's CUDA compiler, with the remedy,
# or to the empty string if it can.
function(_weft_compiler_problem out)
  set(use "configure a fresh build folder with -DCMAKE_CUDA_COMPILER=<LLVM 22>/bin/clang++")
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    string(CONCAT problem "the language CUDA is not enabled. Say project(... LANGUAGES CXX CUDA) "
                          "before find_package(Weft).")
  elseif(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    string(CONCAT problem "the CUDA compiler is nvcc, whose objects hold no bitcode that can be "
                          "read. Weft needs clang 22: ${use}.")
  elseif(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    string(CONCAT problem "the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID}. Weft needs clang 22: "
                          "${use}.")
  elseif(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 22)
    string(CONCAT problem "the CUDA compiler is clang ${CMAKE_CUDA_COMPILER_VERSION}, whose "
                          "bitcode differs from what Weft reads. Weft needs clang 22: ${use}.")
  else()
    set(problem "")
  endif()
  set(${out} "${problem}" PARENT_SCOPE)
endfunction()
