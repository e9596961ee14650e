include_guard(GLOBAL)

# _weft_opaque_files(<out> <target> <files>)
#
# Sets <out> to the absolute paths of the files given as OPAQUE. Ends the configuration for a file
# that neither exists nor is made by the build, and for a file whose name shows that it holds no
# device code.
function(_weft_opaque_files out target files)
  set(paths "")
  foreach(file IN LISTS files)
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
    cmake_path(GET path EXTENSION LAST_ONLY extension)
    if(NOT extension MATCHES "^[.](cubin|fatbin|o|obj|a)$")
      message(FATAL_ERROR "weft_device_thinlto: OPAQUE '${file}' of '${target}' is no device code "
                          "that nvlink takes. Give relocatable cubins, fat binaries, objects or "
                          "static libraries, and sources to the target itself.")
    endif()
    if(NOT EXISTS "${path}")
      get_source_file_property(is_generated "${path}" GENERATED)
      if(NOT is_generated)
        message(FATAL_ERROR "weft_device_thinlto: OPAQUE '${file}' of '${target}' does not exist. "
                            "Relative names count from ${CMAKE_CURRENT_SOURCE_DIR}; a file that "
                            "the build makes is named by its full path, after the "
                            "add_custom_command that makes it.")
      endif()
    endif()
    list(APPEND paths "${path}")
  endforeach()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()
