include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_step.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_list_folder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_ptx(<target> <architecture> <label>)
#
# Adds the steps that make PTX of the whole program, <target>.weft/<architecture>/image.ptx, which
# the driver compiles for newer processors. The driver links no PTX, so the PTX must be in one
# piece. It is made from the optimized modules, and the optimization runs once for both kinds of
# image.
function(_weft_add_ptx target architecture label)
  _weft_step_folder(folder ${target})
  string(APPEND folder "/${architecture}")
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  _weft_list_folder(list ${target})
  string(APPEND list "/${architecture}/optimized.rsp")
  get_target_property(units ${target} WEFT_JOB_UNITS)
  get_target_property(options ${target} WEFT_CODEGEN_OPTIONS)
  get_target_property(opaque_units ${target} WEFT_OPAQUE_UNITS)
  get_target_property(backend-job Weft::backend-job IMPORTED_LOCATION)
  if(CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
    message(FATAL_ERROR "weft_device_thinlto: '${target}' is to have PTX for ${architecture}, which "
                        "is made of clang's bitcode alone. Leave out the -virtual architecture, or "
                        "compile with clang.")
  endif()
  if(opaque_units)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' is to have PTX for ${architecture}, but "
                        "device code without bitcode is part of it: ${opaque_units}. Leave out "
                        "either the -virtual architecture or OPAQUE.")
  endif()
  list(TRANSFORM units APPEND ".opt.bc" OUTPUT_VARIABLE modules)
  list(TRANSFORM modules PREPEND "${root}/" OUTPUT_VARIABLE paths)
  list(TRANSFORM modules REPLACE "(.+)" "${folder}/\\1\n" OUTPUT_VARIABLE response)
  list(JOIN response "" response)
  file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${list}" CONTENT "${response}")
  _weft_add_step("${root}/program.bc" "${paths};${CMAKE_CURRENT_BINARY_DIR}/${list};${backend-job}"
                 "${backend-job};combine;@${list};-o;${folder}/program.bc"
                 "Weft combine ${target}${label}")
  _weft_add_step("${root}/image.ptx" "${root}/program.bc;${backend-job}"
                 "${backend-job};codegen;${options};${folder}/program.bc;-o;${folder}/image.ptx"
                 "Weft codegen ${target} as PTX${label}")
endfunction()
