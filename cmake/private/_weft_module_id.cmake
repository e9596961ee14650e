include_guard(GLOBAL)

# _weft_module_id(<out> <source>)
#
# The stable name of a unit: the path of its source, which is absolute here, relative to the top of
# the project. Generated sources are named by their place in the build tree, sources beside the
# project by the way to them; neither depends on where the checkout is.
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
