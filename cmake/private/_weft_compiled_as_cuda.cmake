include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_evaluate.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_properties.cmake")

# _weft_compiled_as_cuda(<out> <target>)
#
# Sets <out> to whether an option tells the compiler of the target's C++ sources that they are CUDA:
# `-x cuda`, from the target, its folder, the project or a library that it links, as Kokkos gives it
# to all that link it.
function(_weft_compiled_as_cuda out target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  get_target_property(text ${target} COMPILE_OPTIONS)
  get_target_property(flags ${target} COMPILE_FLAGS)
  _weft_linked_properties(linked ${target} INTERFACE_COMPILE_OPTIONS)
  set(text "${CMAKE_CXX_FLAGS};${CMAKE_CXX_FLAGS_${configuration}};${flags};${text};${linked}")
  _weft_says_cuda(is_cuda ${target} "${text}")
  set(${out} "${is_cuda}" PARENT_SCOPE)
endfunction()

# _weft_says_cuda(<out> <target> <options>)
#
# Sets <out> to whether options of the compiler, in which generator expressions may be, say that a
# C++ source of the target is CUDA.
function(_weft_says_cuda out target options)
  set(pattern "(^|[ ;:,])-x[ ;]*cuda($|[ ;>,])")
  set(is_cuda OFF)
  # Few targets have the option, and the evaluation takes time.
  if(options MATCHES "${pattern}")
    set(weft_language CXX)
    _weft_evaluate(options ${target} "${options}")
    if(options MATCHES "${pattern}")
      set(is_cuda ON)
    endif()
  endif()
  set(${out} "${is_cuda}" PARENT_SCOPE)
endfunction()
