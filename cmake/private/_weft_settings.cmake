include_guard(GLOBAL)

# _weft_settings(<variable> <target>)
#
# Sets <variable> to the arguments that name the servers of the target, with their workers, to
# options of the target's OPTIONS that every step takes, and to the weft.toml at the top of the
# project, if there is one; Weft's executables do not look for the file themselves. These settings
# decide where results come from and never what they are, so no step depends on the file.
function(_weft_settings variable target)
  set(file "${CMAKE_SOURCE_DIR}/weft.toml")
  set(arguments "")
  if(EXISTS "${file}")
    set(arguments --config "${file}")
  endif()
  foreach(kind executor cache)
    string(TOUPPER "WEFT_REMOTE_${kind}" property)
    get_target_property(address ${target} ${property})
    if(address)
      list(APPEND arguments "--remote-${kind}=${address}")
    endif()
  endforeach()
  foreach(pair remote-platform:REMOTE_PLATFORM remote-memory-class:REMOTE_MEMORY_CLASSES)
    string(REGEX MATCH "^[^:]+" option "${pair}")
    string(REGEX REPLACE "^[^:]+:" "WEFT_" property "${pair}")
    get_target_property(values ${target} ${property})
    if(values)
      list(TRANSFORM values PREPEND "--${option}=")
      list(APPEND arguments ${values})
    endif()
  endforeach()
  get_target_property(options ${target} WEFT_EXECUTION_OPTIONS)
  set(${variable} "${arguments};${options}" PARENT_SCOPE)
endfunction()
