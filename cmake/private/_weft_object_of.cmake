include_guard(GLOBAL)

# _weft_object_of(<out> <target> <source>)
#
# Sets <out> to the one object file that <target> makes from <source>: a path, or a generator
# expression where the path is not certain.
#
# CMake lists the objects of a target only together and when it generates. Their names hold the
# source's path relative to the target's source or build folder, or, for a source outside of the
# project, the absolute path. For a source below the target's folder whose path has only plain
# characters, all versions of CMake form the same name. All other names are found in CMake's list,
# by an expression that accepts all forms: characters that CMake replaces, or that an expression
# cannot hold, match any character, and some objects come with `./` after the folder.
#
# The expression reads the whole list, and CMake evaluates it for each program that links the
# object. So with it alone, the time to configure would grow with the square of the number of units.
function(_weft_object_of out target source)
  get_target_property(source_folder ${target} SOURCE_DIR)
  get_target_property(binary_folder ${target} BINARY_DIR)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${source_folder}" OUTPUT_VARIABLE from_source)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${binary_folder}" OUTPUT_VARIABLE from_binary)
  set(is_below_source ON)
  if(from_source MATCHES "^[.][.]/" OR NOT "${target}/${from_source}" MATCHES "^[A-Za-z0-9_/.+-]+$"
     OR (NOT from_binary MATCHES "^[.][.]/" AND NOT binary_folder STREQUAL source_folder))
    set(is_below_source OFF)
  endif()
  set(path "${binary_folder}/CMakeFiles/${target}.dir")
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    string(APPEND path "/$<CONFIG>")
  endif()
  string(APPEND path "/${from_source}.o")
  # CMake shortens very long paths.
  string(LENGTH "${path}" length)
  if(is_below_source AND length LESS 200 AND NOT CMAKE_C_OUTPUT_EXTENSION_REPLACE
     AND NOT CMAKE_CXX_OUTPUT_EXTENSION_REPLACE AND NOT CMAKE_CUDA_OUTPUT_EXTENSION_REPLACE)
    set(${out} "${path}" PARENT_SCOPE)
    return()
  endif()

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
  if(CMAKE_GENERATOR STREQUAL "Ninja Multi-Config")
    string(APPEND folder "[.]dir/$<CONFIG>")
  else()
    string(APPEND folder "[.]dir")
  endif()
  set(pattern "/${folder}/([.]/)?(${paths})[.]o(bj)?$")
  set(${out} "$<FILTER:$<TARGET_OBJECTS:${target}>,INCLUDE,${pattern}>" PARENT_SCOPE)
endfunction()
