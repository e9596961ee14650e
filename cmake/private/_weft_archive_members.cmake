include_guard(GLOBAL)

# _weft_archive_members(<out> <target> <linked> <libraries>)
#
# Sets <out> to the module ids of the program's units that are members of archives, of which the
# host linker takes only those that something needs. <linked> are all targets that the program
# links, <libraries> the static and object libraries of the project among them; for packages, the
# ids of their archives stand for the members.
#
# Sets <out> to the empty string where the command of the link may make the linker take other
# members: by an option for whole archives, by symbols that an option needs, or by objects of a
# static library. What is overlooked here, the guard finds after the link.
function(_weft_archive_members out target linked libraries)
  set(${out} "" PARENT_SCOPE)
  set(words "${CMAKE_EXE_LINKER_FLAGS}")
  foreach(library IN LISTS linked ITEMS ${target})
    if(NOT TARGET "${library}")
      continue()
    endif()
    get_target_property(type ${library} TYPE)
    set(properties INTERFACE_LINK_LIBRARIES INTERFACE_LINK_OPTIONS INTERFACE_SOURCES)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND properties LINK_LIBRARIES LINK_OPTIONS LINK_FLAGS SOURCES
                             LINK_LIBRARY_OVERRIDE)
    endif()
    foreach(property IN LISTS properties)
      get_target_property(value ${library} ${property})
      if(value)
        string(APPEND words ";${value}")
      endif()
    endforeach()
  endforeach()
  if("${words}" MATCHES
     "(whole-archive|WHOLE_ARCHIVE|TARGET_OBJECTS|LINK_LIBRARY_OVERRIDE|[ ;,:>]-(u|e|T)|--(undefined|require-defined|entry|dynamic-list|export-dynamic)|[ ;,:>]@)")
    return()
  endif()
  set(members "")
  foreach(library IN LISTS libraries)
    get_target_property(type ${library} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      foreach(kind CUDA HOST)
        get_property(units TARGET ${library} PROPERTY WEFT_UNITS_${kind})
        list(APPEND members ${units})
      endforeach()
    endif()
  endforeach()
  get_property(archives TARGET ${target} PROPERTY WEFT_ARCHIVES)
  foreach(archive IN LISTS archives)
    get_property(file TARGET ${target} PROPERTY "WEFT_OBJECT_${archive}")
    if(file MATCHES "[.]a$")
      list(APPEND members "${archive}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES members)
  set(${out} "${members}" PARENT_SCOPE)
endfunction()
