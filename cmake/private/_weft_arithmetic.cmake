include_guard(GLOBAL)

# _weft_arithmetic(<target> <options>)
#
# Compiles the CUDA units of a target as its options about units say, and has their summaries state
# these options, so that the thin link can compare the units. <options> are NAME=VALUE, where no
# value stands for 1, of the names that `summarize --option` knows: ftz, prec-div, prec-sqrt and
# fmad as in nvcc, each with 0, 1, false or true, maxrregcount, split-compile, generate-line-info.
# An option of arithmetic that is not given keeps clang's default, which is nvcc's except for square
# roots, or the value that the target's own compile options set.
#
# clang knows three of the four. --prec-div concerns only the code generator, so the unit's summary
# states it, as it states --fmad: libdevice's instructions have no license to be fused until the
# thin link knows of that option. The other two of arithmetic are in the unit's code, which does not
# show that approximate square roots are meant. The target's
# property WEFT_UNIT_OPTIONS holds the options that its units are summarized with, and
# WEFT_ARITHMETIC_FLAGS those for clang, as one text. nvcc has the same options by these names, and
# its units show what they were compiled with.
function(_weft_arithmetic target options)
  set(ftz "")
  set(fmad "")
  set(prec_sqrt 1)
  set(generate_line_info 0)
  set(unit_options "")
  set(arithmetic "")
  set(nvccs "")
  foreach(option IN LISTS options)
    string(REGEX MATCH "^([a-z-]+)=(.*)$" _ "${option}")
    set(name "${CMAKE_MATCH_1}")
    set(value "${CMAKE_MATCH_2}")
    if(value STREQUAL "" OR value STREQUAL "true")
      set(value 1)
    elseif(value STREQUAL "false")
      set(value 0)
    endif()
    string(REPLACE "-" "_" variable "${name}")
    set(${variable} "${value}")
    if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND name STREQUAL "maxrregcount")
      string(APPEND nvccs " --maxrregcount=${value}")
    elseif(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA" AND name MATCHES "^(ftz|prec-div|prec-sqrt|fmad)$")
      string(APPEND nvccs " --${name}=$<IF:$<BOOL:${value}>,true,false>")
    elseif(NOT name MATCHES "^(ftz|prec-sqrt)$" OR "${name}=${value}" STREQUAL "prec-sqrt=0")
      list(APPEND unit_options "--option=${name}=${value}")
    endif()
    if(name MATCHES "^(ftz|prec-div|prec-sqrt|fmad)$")
      list(APPEND arithmetic "${option}")
    endif()
  endforeach()
  # Before clang 21 no option has `sqrtf` rounded.
  set(flags "")
  set(clang "${CMAKE_CUDA_COMPILER_VERSION}")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(clang "${CMAKE_CXX_COMPILER_VERSION}")
  endif()
  if(clang VERSION_GREATER_EQUAL 21)
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
  if(generate_line_info)
    string(APPEND flags " -Xarch_device -gline-tables-only")
  endif()
  string(STRIP "${flags}" flags)
  set(for_target "${flags}")
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    if(generate_line_info)
      string(APPEND nvccs " --generate-line-info")
    endif()
    string(STRIP "${nvccs}" for_target)
  endif()
  if(for_target)
    target_compile_options(${target} PRIVATE "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:${for_target}>")
  endif()
  set_target_properties(${target} PROPERTIES
    WEFT_ARITHMETIC_OPTIONS "${arithmetic}"
    WEFT_ARITHMETIC_FLAGS "${flags}"
    WEFT_UNIT_OPTIONS "${unit_options}")
endfunction()
