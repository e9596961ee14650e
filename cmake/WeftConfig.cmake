# The package Weft: device link-time optimization for CUDA targets, in small build steps.
#
#   find_package(Weft REQUIRED)
#   weft_device_thinlto(TARGET program)
#
# The same file serves an install tree (lib/cmake/Weft) and a checkout (cmake). Finding the package
# changes nothing; it only defines functions and imported programs.
#
# Set Weft_EXECUTABLES_DIR to the folder of summarize, thinlink, backend-job and weft.

cmake_minimum_required(VERSION 3.25)

include("${CMAKE_CURRENT_LIST_DIR}/weft_device_thinlto.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_compiler_problem.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_find_programs.cmake")

_weft_compiler_problem(Weft_NOT_FOUND_MESSAGE)
if(NOT Weft_NOT_FOUND_MESSAGE)
  _weft_find_programs(Weft_NOT_FOUND_MESSAGE)
endif()

if(Weft_NOT_FOUND_MESSAGE)
  set(Weft_FOUND FALSE)
  string(APPEND Weft_NOT_FOUND_MESSAGE
         " `weft doctor` says what is there and what is missing.")
else()
  set(Weft_FOUND TRUE)
  unset(Weft_NOT_FOUND_MESSAGE)
endif()
