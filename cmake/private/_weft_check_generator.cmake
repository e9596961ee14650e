include_guard(GLOBAL)

# _weft_check_generator()
#
# Ends the configuration unless Weft's steps support the generator.
function(_weft_check_generator)
  if(NOT CMAKE_GENERATOR MATCHES "^(Ninja( Multi-Config)?|Unix Makefiles)$")
    message(FATAL_ERROR "weft_device_thinlto: the generator '${CMAKE_GENERATOR}' is not supported. "
                        "Configure a fresh build folder with -G Ninja, -G \"Ninja Multi-Config\" or -G \"Unix Makefiles\".")
  endif()
endfunction()
