include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_device_options.cmake")

# _weft_mark_sources(<target> <architectures> <sources>)
#
# Gives sources that are C++ for CMake and CUDA by the option -x cuda the options that marked
# targets give to their CUDA sources. They go behind the target's own, which name the language.
function(_weft_mark_sources target architectures sources)
  if(NOT sources)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 16
     OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 23)
    list(GET sources 0 first)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' compiles ${first} as CUDA by the option "
                        "-x cuda, but its C++ compiler is ${CMAKE_CXX_COMPILER_ID} "
                        "${CMAKE_CXX_COMPILER_VERSION}. Weft needs clang 16 to 22: configure a fresh "
                        "build folder with -DCMAKE_CXX_COMPILER=<LLVM 22>/bin/clang++, or give the "
                        "sources the property LANGUAGE CUDA.")
  endif()
  _weft_device_options(options Clang)
  list(TRANSFORM architectures PREPEND "--offload-arch=" OUTPUT_VARIABLE offload)
  get_target_property(arithmetic ${target} WEFT_ARITHMETIC_FLAGS)
  separate_arguments(arithmetic UNIX_COMMAND "${arithmetic}")
  # The source may belong to another target, too, which is not marked.
  foreach(option IN LISTS offload options arithmetic)
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<BOOL:$<TARGET_PROPERTY:WEFT_DEVICE_THINLTO>>:${option}>")
  endforeach()
endfunction()
