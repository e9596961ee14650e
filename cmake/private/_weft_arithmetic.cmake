include_guard(GLOBAL)

# _weft_arithmetic(<target> <options>)
#
# Makes the CUDA units of a target compute as nvcc's options of the same names say: --ftz,
# --prec-div, --prec-sqrt and --fmad, each with 0, 1, false or true. An option that is not given
# keeps clang's default, which is nvcc's except for square roots, or the value that the target's own
# compile options set.
#
# clang knows three of the options. --prec-div concerns only the code generator, so the unit's
# summary records it, as it records --fmad: libdevice's instructions have no license to be fused
# until the thin link knows of that option. The target's property WEFT_UNIT_OPTIONS holds the
# options that its units are summarized with, and WEFT_ARITHMETIC_FLAGS those for clang, as one
# text.
function(_weft_arithmetic target options)
  set(ftz "")
  set(fmad "")
  set(prec_div "")
  set(prec_sqrt 1)
  foreach(option IN LISTS options)
    string(REGEX MATCH "^--([a-z-]+)=(.*)$" _ "${option}")
    string(REPLACE "-" "_" name "${CMAKE_MATCH_1}")
    set(${name} 0)
    if(CMAKE_MATCH_2)
      set(${name} 1)
    endif()
  endforeach()
  # Before clang 20 no option has `sqrtf` rounded.
  set(flags "")
  if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 20)
    set(flags "-Xarch_device -mllvm=-nvvm-reflect-add=__CUDA_PREC_SQRT=${prec_sqrt}")
  endif()
  if(ftz STREQUAL "1")
    string(APPEND flags " -Xarch_device -fgpu-flush-denormals-to-zero")
  elseif(ftz STREQUAL "0")
    string(APPEND flags " -Xarch_device -fno-gpu-flush-denormals-to-zero")
  endif()
  if(fmad STREQUAL "1")
    string(APPEND flags " -Xarch_device -ffp-contract=fast")
  elseif(fmad STREQUAL "0")
    string(APPEND flags " -Xarch_device -ffp-contract=off")
  endif()
  string(STRIP "${flags}" flags)
  if(flags)
    target_compile_options(${target} PRIVATE "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:${flags}>")
  endif()
  set(unit_options "")
  foreach(option prec-div fmad)
    string(REPLACE "-" "_" name "${option}")
    if(NOT ${name} STREQUAL "")
      list(APPEND unit_options --option "${option}=${${name}}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES
    WEFT_ARITHMETIC_OPTIONS "${options}"
    WEFT_ARITHMETIC_FLAGS "${flags}"
    WEFT_UNIT_OPTIONS "${unit_options}")
endfunction()
