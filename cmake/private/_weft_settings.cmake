include_guard(GLOBAL)

# _weft_settings(<variable> <target>)
#
# Sets <variable> to the arguments that name the project's weft.toml to Weft's executables, which do
# not look for one, if the top of the project has one, and the servers that the target was given.
# These arguments say where results come from and never change a result, so no step depends on the
# file.
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
  set(${variable} "${arguments}" PARENT_SCOPE)
endfunction()
