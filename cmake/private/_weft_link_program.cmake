include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_image.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_jobs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_ptx.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_registration.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_report.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_link_device_code_once.cmake")

# _weft_link_program(<target> <real> <virtual>)
#
# Adds the steps from the objects of a program to the object file that registers its device images,
# and links that file into the target. <real> are the architectures that get machine code, <virtual>
# those that get PTX.
#
# The steps read objects of the target, and the target is linked from their output. So CMake must
# not see the output as a source of the target, because it makes such sources before it compiles
# any. With Ninja, which has one graph for the whole build, the steps belong to a separate target,
# and the link depends on the file. Make has a graph for each target, so there the steps belong to
# the target itself, where only the dependencies between files count.
#
# Two designs were rejected: an object library with the target's sources, which would have to repeat
# every setting of the target, also later ones; and a command before the link, which would run all
# jobs in one step.
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
  _weft_step_folder(folder ${target})
  string(PREPEND folder "${CMAKE_CURRENT_BINARY_DIR}/")
  list(TRANSFORM architectures REPLACE "(.+)" "--manifest=${folder}/\\1/plans/manifest.json"
       OUTPUT_VARIABLE guard)
  set_property(TARGET ${target} PROPERTY WEFT_GUARD "--image=${folder}/image.fatbin" ${guard})
  _weft_link_device_code_once(${target})
  if(CMAKE_GENERATOR MATCHES "^Ninja")
    add_custom_target(${target}_weft DEPENDS "${registration}")
    # target_link_libraries cannot follow the user's choice between its signatures, so the property
    # is set.
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES "${registration}")
  else()
    set_source_files_properties("${registration}" PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
    target_sources(${target} PRIVATE "${registration}")
  endif()
endfunction()
