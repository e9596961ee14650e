include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_step.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_settings.cmake")

# _weft_add_import(<target> <architecture> <unit> <module> <comment>)
#
# Adds the import phase of one job, which reads the bitcode of the modules that its plan names. The
# job's own is in the file <module>, whose path may start at the build folder.
# In the first build this bitcode exists because the plan's step runs after all summaries and so
# after all bitcode; in later builds the depfile lists it.
#
# The module map is no dependency: the path of a module follows from its name, so a change of the
# map does not affect this step unless the plan changes, too.
function(_weft_add_import target architecture unit module comment)
  set(folder "${target}.weft/${architecture}")
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  get_target_property(backend_job Weft::backend-job IMPORTED_LOCATION)
  cmake_path(ABSOLUTE_PATH module BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE
             OUTPUT_VARIABLE module_path)
  set(inputs "${root}/plans/${unit}.plan" "${module_path}" "${backend_job}")
  _weft_settings(settings ${target})
  get_target_property(report ${target} WEFT_REPORT)
  set(report_file "")
  set(report_option "")
  if(report)
    set(report_file "${root}/${unit}.import.json")
    set(report_option --report "${folder}/${unit}.import.json")
  endif()
  set(command "${backend_job}" import ${settings} --plan "${folder}/plans/${unit}.plan"
              --module "${module}" --module-map "${folder}/modules.tsv"
              ${report_option})
  if(CMAKE_GENERATOR STREQUAL "Ninja")
    _weft_add_step(OUTPUTS "${root}/${unit}.linked.bc" ${report_file} DEPENDS ${inputs}
                   DEPFILE "${root}/${unit}.linked.bc.d"
                   COMMAND ${command} -o "${folder}/${unit}.linked.bc"
                           --depfile "${folder}/${unit}.linked.bc.d"
                   COMMENT "${comment}")
    return()
  endif()
  # Make requires that an output becomes newer than the inputs in its depfile. So the command writes
  # to a separate file, which is the output in the depfile and serves as the stamp as well.
  _weft_add_step(STAMP "${root}/${unit}.imported.bc"
                 OUTPUTS "${root}/${unit}.linked.bc" ${report_file}
                 DEPENDS ${inputs} DEPFILE "${root}/${unit}.imported.bc.d"
                 COMMAND ${command} -o "${folder}/${unit}.imported.bc"
                         --depfile "${folder}/${unit}.imported.bc.d"
                 THEN "${CMAKE_COMMAND}" -E copy_if_different "${folder}/${unit}.imported.bc"
                      "${folder}/${unit}.linked.bc"
                 COMMENT "${comment}")
endfunction()
