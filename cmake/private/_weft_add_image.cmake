include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_list_folder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_image(<target> <architecture> <label>)
#
# Adds the step that links the cubins of all modules, in link order, and the opaque files, to
# <target>.weft/<architecture>/image.cubin. As with nvcc, NVIDIA's device runtime is there for
# kernels that launch others; nvlink takes nothing of it otherwise.
function(_weft_add_image target architecture label)
  _weft_step_folder(folder ${target})
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}/${architecture}")
  get_target_property(job_units ${target} WEFT_JOB_UNITS)
  get_target_property(link_order ${target} WEFT_LINK_ORDER)
  get_target_property(nvlink Weft::nvlink IMPORTED_LOCATION)
  get_target_property(options ${target} WEFT_NVLINK_OPTIONS)
  # Searching a list for each unit takes time that grows with the square of their number.
  foreach(unit IN LISTS job_units)
    set(has_job_${unit} ON)
  endforeach()
  set(units "")
  foreach(unit IN LISTS link_order)
    if(has_job_${unit})
      list(APPEND units "${unit}")
    endif()
  endforeach()
  list(TRANSFORM units APPEND ".cubin" OUTPUT_VARIABLE cubins)
  list(TRANSFORM cubins PREPEND "${root}/" OUTPUT_VARIABLE paths)
  get_target_property(opaque_units ${target} WEFT_OPAQUE_UNITS)
  foreach(unit IN LISTS opaque_units)
    get_target_property(path ${target} "WEFT_OBJECT_${unit}")
    list(APPEND cubins "${path}")
    list(APPEND paths "${path}")
  endforeach()
  find_file(runtime libcudadevrt.a PATHS "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}"
            PATH_SUFFIXES "targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib" lib64 lib NO_DEFAULT_PATH
            NO_CACHE)
  if(runtime)
    list(APPEND cubins "${runtime}")
  endif()
  # nvlink splits the file at spaces.
  list(TRANSFORM cubins REPLACE "(.+)" "\"\\1\"\n" OUTPUT_VARIABLE response)
  list(JOIN response "" response)
  _weft_list_folder(list ${target})
  string(PREPEND list "${CMAKE_CURRENT_BINARY_DIR}/")
  string(APPEND list "/${architecture}/cubins.rsp")
  file(GENERATE OUTPUT "${list}" CONTENT "${response}")
  add_custom_command(OUTPUT "${root}/image.cubin"
                     DEPENDS ${paths} "${list}" "${nvlink}"
                     COMMAND "${nvlink}" -arch=${architecture} --options-file "${list}"
                             ${options} -o image.cubin
                     WORKING_DIRECTORY "${root}"
                     COMMENT "Weft nvlink ${target}${label}" VERBATIM)
endfunction()
