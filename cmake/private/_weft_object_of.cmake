include_guard(GLOBAL)

# _weft_object_of(<out> <target> <source>)
#
# Sets <out> to a generator expression for the one object file that <target> makes from <source>.
#
# CMake lists the objects of a target only together and when it generates. Their names hold the
# source's path relative to the target's source or build folder, or, for a source outside of the
# project, the absolute path. The form is CMake's choice, so all forms are accepted. Characters that
# CMake replaces, or that an expression cannot hold, match any character. Some objects come with
# `./` after the folder.
function(_weft_object_of out target source)
  get_target_property(source_folder ${target} SOURCE_DIR)
  get_target_property(binary_folder ${target} BINARY_DIR)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${source_folder}" OUTPUT_VARIABLE from_source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${binary_folder}" OUTPUT_VARIABLE from_binary)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "/" OUTPUT_VARIABLE from_root)
  set(paths "")
  foreach(path IN ITEMS "${from_source}" "${from_binary}" "${from_root}")
    string(REPLACE "../" "__/" path "${path}")
    string(REGEX REPLACE "([.+*?|(){}])" "[\\1]" path "${path}")
    string(REGEX REPLACE "[^][A-Za-z0-9_/.+*?|(){}-]" "." path "${path}")
    list(APPEND paths "${path}")
  endforeach()
  list(JOIN paths "|" paths)
  string(REGEX REPLACE "[^A-Za-z0-9_-]" "." folder "${target}")
  set(pattern "/${folder}[.]dir/([.]/)?(${paths})[.]o(bj)?$")
  set(${out} "$<FILTER:$<TARGET_OBJECTS:${target}>,INCLUDE,${pattern}>" PARENT_SCOPE)
endfunction()
