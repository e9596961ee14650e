include_guard(GLOBAL)

# _weft_settings(<variable>)
#
# Sets <variable> to the arguments that name the project's weft.toml to Weft's executables, which do
# not look for one; to nothing where the top of the project has none. What the file says is where
# results come from and never what they are, so no step depends on it.
function(_weft_settings variable)
  set(file "${CMAKE_SOURCE_DIR}/weft.toml")
  set(arguments "")
  if(EXISTS "${file}")
    set(arguments --config "${file}")
  endif()
  set(${variable} "${arguments}" PARENT_SCOPE)
endfunction()
