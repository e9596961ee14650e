include_guard(GLOBAL)

# _weft_compiler_problem(<out>)
#
# Sets <out> to the reason why Weft cannot work with this project's CUDA compiler, with the remedy,
# which names the newest clang on this machine that can be used, or to the empty string if it can:
# clang, or nvcc, whose LTO IR the nvlink of CUDA 13 reads.
function(_weft_compiler_problem out)
  set(names clang++-22 clang++-21 clang++-20 clang++-19 clang++-18 clang++-17 clang++-16)
  set(found "")
  if(NOT CMAKE_CUDA_COMPILER_ID MATCHES "^(Clang|NVIDIA)$"
     OR (CMAKE_CUDA_COMPILER_ID STREQUAL "Clang"
         AND (CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 16
              OR CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 23))
     OR (CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13))
    find_program(found NAMES ${names} NO_CACHE)
  endif()
  if(NOT found)
    set(found "<LLVM 22>/bin/clang++")
  endif()
  set(needs "Weft needs nvcc 13 or clang 16 to 22")
  set(use "configure a fresh build folder with -DCMAKE_CUDA_COMPILER=${found}")
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    string(CONCAT problem "the language CUDA is not enabled. Say project(... LANGUAGES CXX CUDA) "
                          "before find_package(Weft).")
  elseif(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(problem "")
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 13)
      string(CONCAT problem "the CUDA compiler is nvcc ${CMAKE_CUDA_COMPILER_VERSION}, whose LTO IR "
                            "Weft does not read. ${needs}: ${use}.")
    endif()
  elseif(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    set(problem "the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID}. ${needs}: ${use}.")
  elseif(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 16
         OR CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 23)
    string(CONCAT problem "the CUDA compiler is clang ${CMAKE_CUDA_COMPILER_VERSION}, whose "
                          "bitcode Weft does not read. ${needs}: ${use}.")
  else()
    set(problem "")
  endif()
  set(${out} "${problem}" PARENT_SCOPE)
endfunction()
