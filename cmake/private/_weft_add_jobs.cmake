include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_import.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_step.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_summaries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_newest_ptx.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_settings.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_base.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_jobs(<target> <architecture> <products> <label>)
#
# Adds the steps from objects to the parts of the image for one architecture, which are cubins for
# the product `cubin` and optimized modules for `ptx`: a summary of each unit, one thin link, three
# phases for each job. The files are in <target>.weft/<architecture> of the build folder, except for
# summaries that programs share. Commands name them by relative paths, so that no output depends on
# an absolute path. <label> is the architecture in the build's messages; it is empty if there is
# only one.
function(_weft_add_jobs target architecture products label)
  _weft_step_folder(folder ${target})
  string(APPEND folder "/${architecture}")
  set(root "${CMAKE_CURRENT_BINARY_DIR}/${folder}")
  foreach(name ARCHIVE_MEMBERS CUDA_UNITS DEVICE_LIBRARIES JOB_UNITS LINK_ORDER HOST_INFO_GAPS
               KEEP REPORT FEEDBACK THINLINK_OPTIONS IMPORT_OPTIONS CODEGEN_OPTIONS ASSEMBLE_OPTIONS
               FILES_OF_THINLINK FILES_OF_CODEGEN)
    get_target_property(value ${target} WEFT_${name})
    string(TOLOWER ${name} variable)
    set(${variable} "${value}")
  endforeach()
  foreach(tool thinlink backend-job ptxas)
    get_target_property(${tool} Weft::${tool} IMPORTED_LOCATION)
  endforeach()

  _weft_step_base(base)
  _weft_settings(settings ${target})
  _weft_add_summaries(summaries ${target} ${architecture} "${label}" "${settings}")
  set(reports "${summaries_reports}")
  set(report_list "${summaries_report_list}")
  list(TRANSFORM cuda_units REPLACE "(.+)" "${root}/plans/\\1.plan" OUTPUT_VARIABLE plans)
  list(PREPEND plans "${root}/plans/manifest.json")
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
  set(members "")
  if(archive_members)
    set(members "${root}/archive-members.txt")
    list(JOIN archive_members "\n" archive_members)
    file(GENERATE OUTPUT "${members}" CONTENT "${archive_members}\n")
    list(APPEND thinlink_options --archive-members "${folder}/archive-members.txt")
  endif()
  set(libraries "")
  if(device_libraries)
    set(libraries "${root}/libraries.rsp")
    list(APPEND thinlink_options --library "@${folder}/libraries.rsp")
  endif()
  if(feedback)
    list(APPEND thinlink_options --feedback "${feedback}")
  endif()
  _weft_add_step("${plans}"
                 "${summaries};${root}/summaries.rsp;${libraries};${members};${root}/link-order.txt;${feedback};${files_of_thinlink};${thinlink}"
                 "${thinlink};${settings};${thinlink_options};${keep};-o;${folder}/plans;--link-order;${folder}/link-order.txt;@${folder}/summaries.rsp"
                 "Weft thinlink ${target}${label}")

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
  list(TRANSFORM extensions PREPEND "<path>." OUTPUT_VARIABLE outputs_of_codegen)
  list(JOIN emit "," emit)
  # The user's own limit comes after it and wins.
  _weft_newest_ptx(newest_ptx)
  set(codegen "${backend-job}" codegen ${settings} ${newest_ptx} ${codegen_options} --emit ${emit})
  set(assemble "${backend-job}" assemble ${settings} --ptxas "${ptxas}" ${assemble_options})
  cmake_path(RELATIVE_PATH root BASE_DIRECTORY "${base}" OUTPUT_VARIABLE folder_from_base)
  set(report_of_codegen "")
  set(report_of_assemble "")
  foreach(unit IN LISTS job_units)
    set(file "${folder}/${unit}")
    set(path "${root}/${unit}")
    _weft_add_import("${root}" "${folder_from_base}" "${unit}" "${summaries_module_of_${unit}}"
                     "${summaries_path_of_${unit}}" "${summaries_shares_${unit}}" "${report}"
                     "${backend-job}" "${settings};${import_options}"
                     "Weft import ${unit}${label}")
    string(REPLACE "<path>" "${path}" outputs "${outputs_of_codegen}")
    set(outputs_of_assemble "${path}.cubin")
    if(report)
      list(APPEND outputs "${path}.codegen.json")
      list(APPEND outputs_of_assemble "${path}.assemble.json")
      foreach(phase import codegen assemble)
        set(report_of_${phase} --report "${file}.${phase}.json")
        if(phase STREQUAL "assemble" AND NOT "cubin" IN_LIST products)
          continue()
        endif()
        list(APPEND reports "${path}.${phase}.json")
        string(APPEND report_list "${unit}\t${file}.${phase}.json\n")
      endforeach()
    endif()
    _weft_add_step("${outputs}" "${path}.linked.bc;${backend-job};${files_of_codegen}"
                   "${codegen};${report_of_codegen};${file}.linked.bc;-o;${file}.${output}"
                   "Weft codegen ${unit}${label}")
    if("cubin" IN_LIST products)
      _weft_add_step("${outputs_of_assemble}" "${path}.ptx;${backend-job};${ptxas}"
                     "${assemble};${report_of_assemble};${file}.ptx;-o;${file}.cubin"
                     "Weft assemble ${unit}${label}")
    endif()
  endforeach()
  if(report)
    file(GENERATE OUTPUT "${root}/reports.tsv" CONTENT "${report_list}")
    set_property(TARGET ${target} APPEND PROPERTY WEFT_JOB_REPORTS "${reports}")
  endif()
endfunction()
