include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_evaluate.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_linked_properties.cmake")

# _weft_all_sources(<out> <target>)
#
# Sets <out> to all that CMake compiles for a target of this project: its own sources and the
# INTERFACE_SOURCES of the libraries that it links, directly or through others. Expressions that
# cannot be known at configure time stay in the list.
function(_weft_all_sources out target)
  get_target_property(sources ${target} SOURCES)
  if(NOT sources)
    set(sources "")
  endif()
  _weft_linked_properties(linked ${target} INTERFACE_SOURCES)
  list(APPEND sources ${linked})
  _weft_evaluate(sources ${target} "${sources}")
  list(REMOVE_DUPLICATES sources)
  set(${out} "${sources}" PARENT_SCOPE)
endfunction()
