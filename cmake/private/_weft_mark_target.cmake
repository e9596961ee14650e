include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_device_options.cmake")

# _weft_mark_target(<target>)
#
# Marks a target as one whose device code Weft links: its CUDA units are compiled to device bitcode
# or LTO IR, and CMake links none of it.
function(_weft_mark_target target)
  set_target_properties(${target} PROPERTIES
    WEFT_DEVICE_THINLTO ON
    # Weft links the device code, so CMake must not.
    CUDA_RESOLVE_DEVICE_SYMBOLS OFF)
  # An installed library says so, too, with the options that its units are summarized with.
  set_property(TARGET ${target} APPEND PROPERTY EXPORT_PROPERTIES
    WEFT_DEVICE_THINLTO WEFT_UNIT_OPTIONS)
  _weft_device_options(options "${CMAKE_CUDA_COMPILER_ID}")
  list(TRANSFORM options REPLACE "(.*[ ].*)" "\"\\1\"")
  list(JOIN options " " options)
  target_compile_options(${target} PRIVATE "SHELL:$<$<COMPILE_LANGUAGE:CUDA>:${options}>")
endfunction()
