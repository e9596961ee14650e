include_guard(GLOBAL)

# _weft_module_id(<out> <source>)
#
# Sets <out> to the stable name of a unit: the path of its source, which is given as an absolute
# path, relative to the top of the project. Generated sources are named by their path in the build
# tree, and sources beside the project by a path that begins with `..`. No name depends on the place
# of the checkout.
function(_weft_module_id out source)
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" NORMALIZE is_generated)
  if(is_generated AND NOT CMAKE_BINARY_DIR STREQUAL CMAKE_SOURCE_DIR)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_BINARY_DIR}")
    string(PREPEND source "generated/")
  else()
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
    string(REPLACE "../" "__/" source "${source}")
  endif()
  set(${out} "${source}" PARENT_SCOPE)
endfunction()
