include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")

# _weft_opaque_id(<out> <path>)
#
# The stable name of a file with device code but no bitcode: that of a unit at its place, or, for a
# file outside of the project, such as a library of the CUDA toolkit, its own name.
function(_weft_opaque_id out path)
  _weft_module_id(module_id "${path}")
  if(module_id MATCHES "^__/")
    cmake_path(GET path FILENAME name)
    string(PREPEND name "external/")
    set(module_id "${name}")
  endif()
  set(${out} "${module_id}" PARENT_SCOPE)
endfunction()
