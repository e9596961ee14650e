include_guard(GLOBAL)

# _weft_host_link_options(<out> <target> <linked>)
#
# Sets <out> to the options of a program's link that may give kernels and variables other names in
# host code, or refer to them: `--defsym`, linker scripts and the like. <linked> are all targets
# that the program links. All options that stand together are one item, in which the thin link finds
# the names. It takes expressions, which are not evaluated, for any name.
function(_weft_host_link_options out target linked)
  set(texts "")
  foreach(flags CMAKE_EXE_LINKER_FLAGS CMAKE_EXE_LINKER_FLAGS_DEBUG CMAKE_EXE_LINKER_FLAGS_RELEASE
                CMAKE_EXE_LINKER_FLAGS_RELWITHDEBINFO CMAKE_EXE_LINKER_FLAGS_MINSIZEREL)
    list(APPEND texts "${${flags}}")
  endforeach()
  foreach(library IN LISTS linked ITEMS ${target})
    if(NOT TARGET "${library}")
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    set(properties INTERFACE_LINK_LIBRARIES INTERFACE_LINK_OPTIONS)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND properties LINK_LIBRARIES LINK_OPTIONS LINK_FLAGS LINK_FLAGS_DEBUG
                             LINK_FLAGS_RELEASE)
    endif()
    foreach(property IN LISTS properties)
      get_target_property(value ${library} ${property})
      if(value)
        string(REPLACE ";" " " value "${value}")
        list(APPEND texts "${value}")
      endif()
    endforeach()
  endforeach()
  set(options "")
  foreach(text IN LISTS texts)
    # Those of _weft_add_guard.
    string(REGEX REPLACE "SHELL:-Xlinker (\"--dependency-file=[^\"]*\"|--defsym=weft_[^ ]*) ?" ""
           text "${text}")
    if(" ${text}" MATCHES
       "(defsym|[ ,:>]--?(u|e|T|undefined|require-defined|init|fini|export-dynamic-symbol|script|default-script|just-symbols|mri-script|dT)|[ ,:>]@|[.](ld|lds|lsc|lcf)([ >]|$))")
      string(REPLACE "$<" "$ <" text "${text}")
      list(APPEND options "${text}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES options)
  set(${out} "${options}" PARENT_SCOPE)
endfunction()
