include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_list_folder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_registration(<out> <target> <real> <virtual>)
#
# Adds the steps that wrap the images of all architectures, machine code of <real> and PTX of
# <virtual>, and make a host object that registers them when the program starts. Sets <out> to that
# object. Objects of nvcc wait to be registered, too: units, and files with opaque device code.
# Images are compressed unless the options of fatbinary say how.
function(_weft_add_registration out target real virtual)
  _weft_step_folder(folder ${target})
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  get_target_property(fatbinary Weft::fatbinary IMPORTED_LOCATION)
  get_target_property(weft Weft::weft IMPORTED_LOCATION)
  set(images "")
  get_target_property(arguments ${target} WEFT_FATBINARY_OPTIONS)
  if(NOT arguments MATCHES "compress")
    list(APPEND arguments --compress-all)
  endif()
  foreach(architecture IN LISTS real)
    string(REGEX REPLACE "^sm_" "" number "${architecture}")
    list(APPEND images "${root}/${architecture}/image.cubin")
    list(APPEND arguments "--image3=kind=elf,sm=${number},file=${architecture}/image.cubin")
  endforeach()
  foreach(architecture IN LISTS virtual)
    string(REGEX REPLACE "^sm_" "" number "${architecture}")
    list(APPEND images "${root}/${architecture}/image.ptx")
    list(APPEND arguments "--image3=kind=ptx,sm=${number},file=${architecture}/image.ptx")
  endforeach()
  add_custom_command(OUTPUT "${root}/image.fatbin"
                     DEPENDS ${images} "${fatbinary}"
                     COMMAND "${fatbinary}" --create=image.fatbin -64 ${arguments}
                     WORKING_DIRECTORY "${root}"
                     COMMENT "Weft fatbinary ${target}" VERBATIM)
  set(opaque_files "")
  get_target_property(opaque_units ${target} WEFT_OPAQUE_UNITS)
  foreach(unit IN LISTS opaque_units)
    get_target_property(path ${target} "WEFT_OBJECT_${unit}")
    list(APPEND opaque_files "${path}")
  endforeach()
  set(compile "${CMAKE_CUDA_COMPILER}" -x c -O3 -fPIC)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    set(compile "${CMAKE_CUDA_COMPILER}" -x c -O3 -Xcompiler=-fPIC)
    if(CMAKE_CUDA_HOST_COMPILER)
      list(APPEND compile "-ccbin=${CMAKE_CUDA_HOST_COMPILER}")
    endif()
    get_target_property(makers ${target} WEFT_MAKERS)
    foreach(maker IN LISTS makers)
      get_property(objects TARGET ${maker} PROPERTY WEFT_OBJECTS_CUDA)
      list(APPEND opaque_files ${objects})
    endforeach()
  elseif(CMAKE_CUDA_COMPILER_TARGET)
    list(APPEND compile "--target=${CMAKE_CUDA_COMPILER_TARGET}")
  endif()
  get_target_property(archives ${target} WEFT_ARCHIVES)
  foreach(unit IN LISTS archives)
    get_target_property(path ${target} "WEFT_OBJECT_${unit}")
    list(APPEND opaque_files "${path}")
  endforeach()
  list(REMOVE_DUPLICATES opaque_files)
  set(nvcc_objects "")
  if(opaque_files)
    _weft_list_folder(list ${target})
    set(list "${CMAKE_CURRENT_BINARY_DIR}/${list}/nvcc-objects.rsp")
    list(JOIN opaque_files "\n" response)
    file(GENERATE OUTPUT "${list}" CONTENT "${response}\n")
    set(nvcc_objects "--nvcc-object=@${list}")
    list(APPEND opaque_files "${list}")
  endif()
  add_custom_command(OUTPUT "${root}/registration.o"
                     DEPENDS "${root}/image.fatbin" "${weft}" "${CMAKE_CUDA_COMPILER}"
                             ${opaque_files}
                     COMMAND "${weft}" register image.fatbin ${nvcc_objects} -o registration.c
                     COMMAND ${compile} -c registration.c -o registration.o
                     BYPRODUCTS "${root}/registration.c"
                     WORKING_DIRECTORY "${root}"
                     COMMENT "Weft register ${target}" VERBATIM)
  set(${out} "${root}/registration.o" PARENT_SCOPE)
endfunction()
