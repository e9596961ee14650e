include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_evaluate.cmake")

# _weft_linked_items(<out> <target> <library> <property> [COMPILED])
#
# Sets <out> to the items that a property of <library> links: LINK_LIBRARIES or
# INTERFACE_LINK_LIBRARIES. <target> is the program or library at the top, for which expressions are
# evaluated. Targets are named by their own names, not by aliases, and objects of a target by the
# target. Options of the linker are left out. With COMPILED, items whose sources would not be added
# to those of <target> are left out, too.
function(_weft_linked_items out target library property)
  get_target_property(value ${library} ${property})
  set(items "")
  if(value)
    if("COMPILED" IN_LIST ARGN)
      string(REPLACE "$<LINK_ONLY:" "$<0:" value "${value}")
    endif()
    _weft_evaluate(values ${target} "${value}")
    foreach(item IN LISTS values)
      # CMake marks libraries that another folder adds with `::@`.
      if(item MATCHES "^(::@|-)")
        continue()
      elseif(item MATCHES "^\\$<TARGET_OBJECTS:([^<>]+)>$")
        set(item "${CMAKE_MATCH_1}")
      endif()
      if(TARGET "${item}")
        get_target_property(aliased "${item}" ALIASED_TARGET)
        if(aliased)
          set(item ${aliased})
        endif()
      endif()
      list(APPEND items "${item}")
    endforeach()
    list(REMOVE_DUPLICATES items)
  endif()
  set(${out} "${items}" PARENT_SCOPE)
endfunction()
