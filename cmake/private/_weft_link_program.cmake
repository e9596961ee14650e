include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_image.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_jobs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_ptx.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_registration.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_report.cmake")

# _weft_link_program(<target> <real> <virtual>)
#
# Adds the steps from the objects of a program to the object file that registers its device images,
# and links that into the target. <real> are the architectures that get machine code, <virtual> the
# architectures that get PTX.
#
# The steps read objects of the target, and the target is linked from what they make, so CMake must
# not see them as sources of the target: it makes those before it compiles any. With Ninja, which
# has one graph for the whole build, they belong to a target of their own, and the link waits for
# the file. Make has a graph for each target; there the steps have to be in the target's own, where
# only the files count.
#
# Rejected: an object library with the target's sources, which would have to repeat everything that
# was and will be set on the target; and a command before the link, which would do all jobs in one.
function(_weft_link_program target real virtual)
  set(architectures ${real} ${virtual})
  list(REMOVE_DUPLICATES architectures)
  list(LENGTH architectures count)
  foreach(architecture IN LISTS architectures)
    set(label "")
    if(count GREATER 1)
      set(label " (${architecture})")
    endif()
    set(products "")
    if(architecture IN_LIST real)
      list(APPEND products cubin)
    endif()
    if(architecture IN_LIST virtual)
      list(APPEND products ptx)
    endif()
    _weft_add_jobs(${target} ${architecture} "${products}" "${label}")
    if(architecture IN_LIST real)
      _weft_add_image(${target} ${architecture} "${label}")
    endif()
    if(architecture IN_LIST virtual)
      _weft_add_ptx(${target} ${architecture} "${label}")
    endif()
  endforeach()
  _weft_add_report(${target} "${architectures}")
  _weft_add_registration(registration ${target} "${real}" "${virtual}")
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.weft")
  list(TRANSFORM architectures REPLACE "(.+)" "--manifest=${folder}/\\1/plans/manifest.json"
       OUTPUT_VARIABLE guard)
  set_property(TARGET ${target} PROPERTY WEFT_GUARD "--image=${folder}/image.fatbin" ${guard})
  if(CMAKE_GENERATOR STREQUAL "Ninja")
    add_custom_target(${target}_weft DEPENDS "${registration}")
    # Not by target_link_libraries, which cannot be told to use the signature that the user does.
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${registration}")
  else()
    set_source_files_properties("${registration}" PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
    target_sources(${target} PRIVATE "${registration}")
  endif()
endfunction()
