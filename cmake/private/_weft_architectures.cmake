include_guard(GLOBAL)

# _weft_architectures(<out> <target>)
#
# The architectures that a target's device code is built for, as sm_90.
function(_weft_architectures out target)
  get_target_property(wanted ${target} CUDA_ARCHITECTURES)
  if(wanted STREQUAL "native")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
  elseif(wanted STREQUAL "all")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_ALL}")
  elseif(wanted STREQUAL "all-major")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR}")
  endif()
  set(architectures "")
  foreach(architecture IN LISTS wanted)
    if(architecture MATCHES "^([0-9]+[af]?)(-real)?$")
      list(APPEND architectures "sm_${CMAKE_MATCH_1}")
    else()
      message(FATAL_ERROR "weft_device_thinlto: '${target}' is to be built for '${architecture}'. "
                          "Weft makes machine code only: name architectures such as sm_90 with "
                          "ARCHITECTURES or 90 with CUDA_ARCHITECTURES.")
    endif()
  endforeach()
  if(NOT architectures)
    message(FATAL_ERROR "weft_device_thinlto: no architecture is known for '${target}'. Name one "
                        "with ARCHITECTURES, such as sm_90, or set CMAKE_CUDA_ARCHITECTURES.")
  endif()
  list(REMOVE_DUPLICATES architectures)
  set(${out} "${architectures}" PARENT_SCOPE)
endfunction()
