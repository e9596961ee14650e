include_guard(GLOBAL)

# _weft_architecture_fits(<out> <image> <code...>)
#
# Sets <out> to whether code for one of the architectures fits into an image for <image>, as nvlink
# links it: code for the same architecture, or for an earlier one of its generation, unless it has
# features of that one alone. Of `fits` in crates/artifact/src/architecture.rs.
function(_weft_architecture_fits out image)
  set(${out} OFF PARENT_SCOPE)
  set(pattern "^sm_([0-9]+)([0-9])([a-z]?)$")
  if("${image}" IN_LIST ARGN)
    set(${out} ON PARENT_SCOPE)
  elseif(image MATCHES "${pattern}")
    set(generation "${CMAKE_MATCH_1}")
    set(member "${CMAKE_MATCH_2}")
    foreach(code IN LISTS ARGN)
      if(code MATCHES "${pattern}" AND NOT CMAKE_MATCH_3 STREQUAL "a"
         AND CMAKE_MATCH_1 EQUAL generation AND CMAKE_MATCH_2 LESS_EQUAL member)
        set(${out} ON PARENT_SCOPE)
      endif()
    endforeach()
  endif()
endfunction()
