include_guard(GLOBAL)

# _weft_architectures(<out> <target>)
#
# Finds the architectures that a target's device code is built for, in the form sm_90. Sets
# <out>_real to those that get machine code, <out>_virtual to those that get PTX, and <out> to all
# of them.
#
# CMake's `90` means machine code and PTX. Here it means machine code alone, because PTX is made
# from the whole program in one step, whose cost should be asked for. `90-virtual` asks for it.
function(_weft_architectures out target)
  get_target_property(wanted ${target} WEFT_ARCHITECTURES)
  if(wanted MATCHES "NOTFOUND$")
    get_target_property(wanted ${target} CUDA_ARCHITECTURES)
  endif()
  if(wanted STREQUAL "native")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_NATIVE}")
  elseif(wanted STREQUAL "all")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_ALL}")
  elseif(wanted STREQUAL "all-major")
    set(wanted "${CMAKE_CUDA_ARCHITECTURES_ALL_MAJOR}")
  endif()
  set(real "")
  set(virtual "")
  foreach(architecture IN LISTS wanted)
    if(architecture MATCHES "^([0-9]+[af]?)(-real)?$")
      list(APPEND real "sm_${CMAKE_MATCH_1}")
    elseif(architecture MATCHES "^([0-9]+[af]?)-virtual$")
      list(APPEND virtual "sm_${CMAKE_MATCH_1}")
    else()
      message(FATAL_ERROR "weft_device_thinlto: '${target}' is to be built for '${architecture}'. "
                          "Name architectures such as sm_90 with ARCHITECTURES or 90 with "
                          "CUDA_ARCHITECTURES, and 90-virtual for PTX.")
    endif()
  endforeach()
  set(architectures ${real} ${virtual})
  if(NOT architectures)
    message(FATAL_ERROR "weft_device_thinlto: no architecture is known for '${target}'. Name one "
                        "with ARCHITECTURES, such as sm_90, or set CMAKE_CUDA_ARCHITECTURES.")
  endif()
  list(REMOVE_DUPLICATES architectures)
  list(REMOVE_DUPLICATES real)
  list(REMOVE_DUPLICATES virtual)
  set(${out} "${architectures}" PARENT_SCOPE)
  set(${out}_real "${real}" PARENT_SCOPE)
  set(${out}_virtual "${virtual}" PARENT_SCOPE)
endfunction()
