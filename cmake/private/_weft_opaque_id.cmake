include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_module_id.cmake")

# _weft_opaque_id(<out> <path>)
#
# Sets <out> to the stable name of a file with device code but no bitcode. A file in the project is
# named like a unit at its path, and a file outside of the project, such as a library of the CUDA
# toolkit, by its file name.
function(_weft_opaque_id out path)
  _weft_module_id(module_id "${path}")
  if(module_id MATCHES "^__/")
    cmake_path(GET path FILENAME name)
    string(PREPEND name "external/")
    set(module_id "${name}")
  endif()
  set(${out} "${module_id}" PARENT_SCOPE)
endfunction()
