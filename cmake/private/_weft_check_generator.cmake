include_guard(GLOBAL)

# _weft_check_generator()
#
# Ends the configuration unless Weft's steps support the generator.
function(_weft_check_generator)
  if(NOT CMAKE_GENERATOR MATCHES "^(Ninja|Unix Makefiles)$")
    message(FATAL_ERROR "weft_device_thinlto: the generator '${CMAKE_GENERATOR}' is not supported. "
                        "Configure a fresh build folder with -G Ninja or -G \"Unix Makefiles\".")
  endif()
endfunction()
