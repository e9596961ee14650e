include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_opaque_id.cmake")

# _weft_library_files(<out> <target> <files>)
#
# Sets <out> to the absolute paths of the files given as LIBRARIES, in which `<architecture>` still
# stands for an architecture. Ends the configuration for a file that is no bitcode by its name, and
# for one that neither exists for each architecture of the target nor is made by the build.
function(_weft_library_files out target files)
  set(paths "")
  foreach(file IN LISTS files)
    cmake_path(ABSOLUTE_PATH file NORMALIZE OUTPUT_VARIABLE path)
    if(NOT path MATCHES "[.]bc$")
      message(FATAL_ERROR "weft_device_thinlto: LIBRARIES '${file}' of '${target}' is no device "
                          "bitcode (.bc). Link archives and objects with target_link_libraries, "
                          "and give device code without bitcode as OPAQUE.")
    endif()
    list(APPEND paths "${path}")
  endforeach()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

# _weft_library_file(<out> <target> <path> <architecture>)
#
# Sets <out> to the file of such a path for one architecture.
function(_weft_library_file out target path architecture)
  string(REPLACE "<architecture>" "${architecture}" file "${path}")
  get_source_file_property(is_generated "${file}" GENERATED)
  if(NOT EXISTS "${file}" AND NOT is_generated)
    message(FATAL_ERROR "weft_device_thinlto: LIBRARIES of '${target}': ${file} does not exist. "
                        "Relative names count from the folder of the call, <architecture> in a name "
                        "stands for one such as sm_90, and a file that the build makes is named by "
                        "its full path, after the add_custom_command that makes it.")
  endif()
  set(${out} "${file}" PARENT_SCOPE)
endfunction()

# _weft_library_id(<out> <path>)
#
# Sets <out> to the stable name of such a library, which is the same for all architectures.
function(_weft_library_id out path)
  string(REGEX REPLACE "[_.-]?<architecture>" "" path "${path}")
  _weft_opaque_id(module_id "${path}")
  set(${out} "${module_id}" PARENT_SCOPE)
endfunction()
