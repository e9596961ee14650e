include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_properties.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_misread_options.cmake")

# _weft_check_options(<target> <language> <source>...)
#
# Fails if clang, which compiles the sources of the target in this language, gets an option that it
# would misread: one of nvcc, or a limit of registers for ptxas, which it does not start for a unit
# of Weft. The options are those of the project, of the target, of the libraries that it links, of
# the sources, and those of the link of a program.
function(_weft_check_options target language)
  if(NOT CMAKE_${language}_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  set(configurations "${CMAKE_BUILD_TYPE}")
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    set(configurations "${CMAKE_CONFIGURATION_TYPES}")
  endif()
  string(TOUPPER "${configurations}" upper)
  list(TRANSFORM upper PREPEND "_" OUTPUT_VARIABLE suffixes)
  get_target_property(type ${target} TYPE)
  set(variables CMAKE_${language}_FLAGS)
  set(flags COMPILE_FLAGS)
  set(lists COMPILE_OPTIONS)
  set(linked INTERFACE_COMPILE_OPTIONS)
  if(type MATCHES "^(EXECUTABLE|(SHARED|MODULE)_LIBRARY)$")
    string(REGEX REPLACE "^EXECUTABLE$|_LIBRARY$" "" kind "${type}")
    if(NOT kind)
      set(kind EXE)
    endif()
    list(APPEND variables CMAKE_${kind}_LINKER_FLAGS)
    list(APPEND flags LINK_FLAGS)
    foreach(suffix IN LISTS suffixes)
      list(APPEND flags LINK_FLAGS${suffix})
    endforeach()
    list(APPEND lists LINK_OPTIONS LINK_LIBRARIES)
    list(APPEND linked INTERFACE_LINK_OPTIONS)
  endif()

  set(faults "")
  foreach(variable IN LISTS variables)
    foreach(suffix IN LISTS suffixes ITEMS "")
      _weft_misread_options(faults ${target} ${language} "" "${variable}${suffix}"
                            "SHELL:${${variable}${suffix}}")
    endforeach()
  endforeach()
  foreach(property IN LISTS flags)
    get_target_property(text ${target} ${property})
    _weft_misread_options(faults ${target} ${language} "${configurations}" "its ${property}"
                          "SHELL:${text}")
  endforeach()
  foreach(property IN LISTS lists)
    get_target_property(text ${target} ${property})
    _weft_misread_options(faults ${target} ${language} "${configurations}" "its ${property}"
                          "${text}")
  endforeach()
  foreach(property IN LISTS linked)
    _weft_linked_properties(text ${target} ${property})
    _weft_misread_options(faults ${target} ${language} "${configurations}"
                          "${property} of what it links" "${text}")
  endforeach()
  foreach(source IN LISTS ARGN)
    get_source_file_property(text "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
    get_source_file_property(flag "${source}" TARGET_DIRECTORY ${target} COMPILE_FLAGS)
    _weft_misread_options(faults ${target} ${language} "${configurations}"
                          "COMPILE_OPTIONS of ${source}" "${text}")
    _weft_misread_options(faults ${target} ${language} "${configurations}"
                          "COMPILE_FLAGS of ${source}" "SHELL:${flag}")
  endforeach()
  if(faults)
    list(REMOVE_DUPLICATES faults)
    list(JOIN faults "\n  " text)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' has options that its compiler, clang, "
                        "would refuse or misread:\n  ${text}\nOptions for nvcc alone are given as "
                        "$<$<CUDA_COMPILER_ID:NVIDIA>:...>.")
  endif()
endfunction()
