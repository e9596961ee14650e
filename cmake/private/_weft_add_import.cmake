include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_step.cmake")

# _weft_add_import(<root> <folder> <lists> <unit> <module> <path> <is shared> <report>
#                  <backend-job> <nvlink> <settings> <comment>)
#
# Adds the import phase of one job, which reads the bitcode or LTO IR of the modules that its plan
# names; LTO IR is nvlink's to read. The job's own is in the file <path>, which the command names as
# <module>. <root> is the folder of the program's steps, which commands name as <folder>, and
# <lists> that of its lists. These names may start at the folder of _weft_step_base. In the first
# build this code exists because the plan's step runs after all summaries and so after all of them;
# in later builds the depfile lists it. If <is shared>, other programs may have the unit, too, so
# the cache keeps the result.
#
# The module map is no dependency: the path of a module follows from its name, so a change of the
# map does not affect this step unless the plan changes, too.
function(_weft_add_import root folder lists unit module path is_shared report backend_job nvlink
         settings comment)
  set(inputs "${root}/plans/${unit}.plan;${path};${backend_job};${nvlink}")
  set(command "${backend_job}" import ${settings} --nvlink "${nvlink}" --plan "${folder}/plans/${unit}.plan"
              --module "${module}" --module-map "${lists}/modules.tsv")
  if(is_shared)
    list(APPEND command --shared)
  endif()
  set(outputs "${root}/${unit}.linked.bc")
  if(report)
    list(APPEND outputs "${root}/${unit}.import.json")
    list(APPEND command --report "${folder}/${unit}.import.json")
  endif()
  if(CMAKE_GENERATOR MATCHES "^Ninja")
    list(APPEND command -o "${folder}/${unit}.linked.bc" --depfile "${folder}/${unit}.linked.bc.d")
    _weft_add_step("${outputs}" "${inputs}" "${command}" "${comment}"
                   "${root}/${unit}.linked.bc.d")
    return()
  endif()
  # Make requires that an output becomes newer than the inputs in its depfile. So the command writes
  # to a separate file, which is the output in the depfile and serves as the stamp as well.
  list(APPEND command -o "${folder}/${unit}.imported.bc"
                      --depfile "${folder}/${unit}.imported.bc.d")
  _weft_add_step("${outputs}" "${inputs}" "${command}" "${comment}" "${root}/${unit}.imported.bc.d"
                 "${root}/${unit}.imported.bc"
                 "${CMAKE_COMMAND};-E;copy_if_different;${folder}/${unit}.imported.bc;${folder}/${unit}.linked.bc")
endfunction()
