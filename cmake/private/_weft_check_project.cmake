include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_libraries.cmake")

# _weft_check_project(<folder>)
#
# Checks the targets of a folder and of its subfolders when the whole project is known. Ends the
# configuration if device code would silently be missing from a program: because the program was
# finished before a library that it links was made or marked, or because it links a marked library
# and is not marked itself.
function(_weft_check_project folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE)_LIBRARY)$")
      continue()
    endif()
    get_target_property(is_marked ${target} WEFT_DEVICE_THINLTO)
    _weft_linked_libraries(libraries _ ${target})
    if(is_marked)
      get_target_property(known ${target} WEFT_LIBRARIES)
      list(REMOVE_ITEM libraries ${known})
      if(libraries)
        message(FATAL_ERROR "weft_device_thinlto: '${target}' links '${libraries}', made after "
                            "the end of its folder. Move the add_subdirectory of the library "
                            "before that of '${target}'.")
      endif()
      get_target_property(libraries ${target} WEFT_UNMARKED_LIBRARIES)
    endif()
    foreach(library IN LISTS libraries)
      get_target_property(is_library_marked ${library} WEFT_DEVICE_THINLTO)
      if(is_library_marked AND is_marked)
        message(FATAL_ERROR "weft_device_thinlto: '${library}' is marked after the end of the "
                            "folder of '${target}', which links it. Mark it before, or call "
                            "weft_device_thinlto(TARGET ${target} DEPENDENCIES).")
      elseif(is_library_marked)
        message(FATAL_ERROR "weft_device_thinlto: '${target}' links '${library}', whose device "
                            "code Weft is to link, but is not marked. Call "
                            "weft_device_thinlto(TARGET ${target}) too.")
      endif()
    endforeach()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(child IN LISTS folders)
    _weft_check_project("${child}")
  endforeach()
endfunction()
