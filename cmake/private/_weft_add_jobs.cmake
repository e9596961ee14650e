include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_import.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_step.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_newest_ptx.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_summary_place.cmake")

# _weft_add_jobs(<target> <architecture> <products> <label>)
#
# Adds the steps from objects to the parts of the image for one architecture, which are cubins for
# the product `cubin` and optimized modules for `ptx`: a summary of each unit, one thin link, three
# phases for each job. The files are in <target>.weft/<architecture> of the build folder, except for
# summaries that programs share. Commands name them by relative paths, so that no output depends on
# an absolute path. <label> is the architecture in the build's messages; it is empty if there is
# only one.
function(_weft_add_jobs target architecture products label)
  set(folder "${target}.weft/${architecture}")
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  foreach(name CUDA_UNITS JOB_UNITS LINK_ORDER HOST_UNITS OPAQUE_UNITS ARCHIVES HOST_INFO_GAPS KEEP
               REPORT FEEDBACK THINLINK_OPTIONS CODEGEN_OPTIONS ASSEMBLE_OPTIONS)
    get_target_property(value ${target} WEFT_${name})
    string(TOLOWER ${name} variable)
    set(${variable} "${value}")
  endforeach()
  foreach(tool summarize thinlink backend-job ptxas)
    get_target_property(${tool} Weft::${tool} IMPORTED_LOCATION)
  endforeach()

  _weft_settings(settings ${target})
  # The user's own limit comes after it and wins.
  _weft_newest_ptx(newest_ptx)

  set(response "")
  set(map "")
  set(summaries "")
  set(reports "")
  set(report_list "")
  set(plans "${root}/plans/manifest.json")
  foreach(unit IN LISTS cuda_units host_units opaque_units archives)
    get_target_property(object ${target} "WEFT_OBJECT_${unit}")
    get_property(unit_options TARGET ${target} PROPERTY "WEFT_OPTIONS_${unit}")
    get_property(has_owner TARGET ${target} PROPERTY "WEFT_OWNER_${unit}" SET)
    if(unit IN_LIST cuda_units)
      list(APPEND plans "${root}/plans/${unit}.plan")
      if(NOT has_owner)
        # The unit is in a file of a package, which is summarized as a whole.
        set(module_of_${unit} "${object}")
        string(APPEND map "${unit}\t${object}\n")
        continue()
      endif()
    endif()
    _weft_summary_place(place ${target} "${unit}" ${architecture})
    cmake_path(RELATIVE_PATH place BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
               OUTPUT_VARIABLE from)
    set(outputs "${place}/${unit}.summary")
    set(arguments --module-id "${unit}" -o "${from}/${unit}.summary")
    if(unit IN_LIST cuda_units)
      set(module_of_${unit} "${from}/${unit}.bc")
      list(APPEND outputs "${place}/${unit}.bc")
      list(APPEND arguments --arch ${architecture} --bitcode "${from}/${unit}.bc" ${unit_options})
      string(APPEND map "${unit}\t${from}/${unit}.bc\n")
    elseif(unit IN_LIST archives)
      list(APPEND arguments --arch ${architecture} ${unit_options})
    elseif(unit IN_LIST opaque_units)
      # An opaque file has no host code that must be known completely.
      list(APPEND arguments --opaque)
    endif()
    string(APPEND response "${from}/${unit}.summary\n")
    list(APPEND summaries "${place}/${unit}.summary")
    if(report)
      list(APPEND outputs "${root}/${unit}.summarize.json")
      list(APPEND arguments --report "${folder}/${unit}.summarize.json")
      list(APPEND reports "${root}/${unit}.summarize.json")
      string(APPEND report_list "${unit}\t${folder}/${unit}.summarize.json\n")
      if(unit IN_LIST opaque_units)
        string(APPEND report_list "${unit}\t${folder}/${unit}.summary\n")
      endif()
    endif()
    if(NOT place_is_made)
      _weft_add_step(OUTPUTS ${outputs} DEPENDS "${object}" "${summarize}"
                     COMMAND "${summarize}" ${settings} ${arguments} "${object}"
                     COMMENT "Weft summarize ${unit}${label}")
    endif()
  endforeach()
  # file(GENERATE) leaves a file alone if its content stays the same.
  file(GENERATE OUTPUT "${root}/summaries.rsp" CONTENT "${response}")
  file(GENERATE OUTPUT "${root}/modules.tsv" CONTENT "${map}")
  list(JOIN link_order "\n" link_order)
  file(GENERATE OUTPUT "${root}/link-order.txt" CONTENT "${link_order}\n")

  list(TRANSFORM keep PREPEND "--keep=")
  if(NOT host_info_gaps)
    list(PREPEND thinlink_options --has-global-host-info)
  endif()
  if(report)
    # The report is not among the plans: no later step reads it.
    list(APPEND plans "${root}/thinlink.json")
    list(APPEND thinlink_options --report "${folder}/thinlink.json")
    list(APPEND reports "${root}/thinlink.json")
    string(APPEND report_list "${target}\t${folder}/thinlink.json\n")
  endif()
  if(feedback)
    list(APPEND thinlink_options --feedback "${feedback}")
  endif()
  _weft_add_step(OUTPUTS ${plans}
                 DEPENDS ${summaries} "${root}/summaries.rsp" "${root}/link-order.txt" ${feedback}
                         "${thinlink}"
                 COMMAND "${thinlink}" ${settings} ${thinlink_options} ${keep} -o "${folder}/plans"
                         --link-order "${folder}/link-order.txt" "@${folder}/summaries.rsp"
                 COMMENT "Weft thinlink ${target}${label}")

  set(emit "")
  set(extensions "")
  if("cubin" IN_LIST products)
    list(APPEND emit ptx)
    list(APPEND extensions ptx)
  endif()
  if("ptx" IN_LIST products)
    list(APPEND emit bc)
    list(APPEND extensions opt.bc)
  endif()
  list(GET extensions 0 output)
  list(JOIN emit "," emit)
  foreach(unit IN LISTS job_units)
    set(file "${folder}/${unit}")
    set(path "${root}/${unit}")
    _weft_add_import(${target} ${architecture} "${unit}" "${module_of_${unit}}"
                     "Weft import ${unit}${label}")
    if(report)
      list(APPEND reports "${path}.import.json")
      string(APPEND report_list "${unit}\t${file}.import.json\n")
    endif()
    list(TRANSFORM extensions PREPEND "${path}." OUTPUT_VARIABLE outputs)
    foreach(phase codegen assemble)
      set(report_of_${phase} "")
      set(report_file_of_${phase} "")
      if(report AND (phase STREQUAL "codegen" OR "cubin" IN_LIST products))
        set(report_of_${phase} --report "${file}.${phase}.json")
        set(report_file_of_${phase} "${path}.${phase}.json")
        list(APPEND reports "${path}.${phase}.json")
        string(APPEND report_list "${unit}\t${file}.${phase}.json\n")
      endif()
    endforeach()
    _weft_add_step(OUTPUTS ${outputs} ${report_file_of_codegen}
                   DEPENDS "${path}.linked.bc" "${backend-job}"
                   COMMAND "${backend-job}" codegen ${settings} ${newest_ptx}
                           ${codegen_options} --emit ${emit}
                           ${report_of_codegen} "${file}.linked.bc" -o "${file}.${output}"
                   COMMENT "Weft codegen ${unit}${label}")
    if(NOT "cubin" IN_LIST products)
      continue()
    endif()
    _weft_add_step(OUTPUTS "${path}.cubin" ${report_file_of_assemble}
                   DEPENDS "${path}.ptx" "${backend-job}" "${ptxas}"
                   COMMAND "${backend-job}" assemble ${settings} --ptxas "${ptxas}"
                           ${assemble_options} ${report_of_assemble} "${file}.ptx"
                           -o "${file}.cubin"
                   COMMENT "Weft assemble ${unit}${label}")
  endforeach()
  if(report)
    file(GENERATE OUTPUT "${root}/reports.tsv" CONTENT "${report_list}")
    set_property(TARGET ${target} APPEND PROPERTY WEFT_JOB_REPORTS "${reports}")
  endif()
endfunction()
