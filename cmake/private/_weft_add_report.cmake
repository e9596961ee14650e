include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_list_folder.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_step_folder.cmake")

# _weft_add_report(<target> <architectures>)
#
# If the target has a REPORT, adds the step that makes it from the reports of all jobs. Every build
# of the target makes the report, but no build step reads it, as it holds times.
function(_weft_add_report target architectures)
  get_target_property(report ${target} WEFT_REPORT)
  if(NOT report)
    return()
  endif()
  # The page of a file `.html`, the data of a file `.json`, the short form of a file `.md`, and
  # otherwise the text.
  set(output -o)
  if(report MATCHES "\\.(html|json)$")
    set(output "--${CMAKE_MATCH_1}")
  elseif(report MATCHES "\\.md$")
    set(output --markdown)
  endif()
  get_target_property(weft Weft::weft IMPORTED_LOCATION)
  get_target_property(job_reports ${target} WEFT_JOB_REPORTS)
  set(arguments "")
  set(inputs "${weft}")
  foreach(architecture IN LISTS architectures)
    _weft_step_folder(folder ${target})
    string(APPEND folder "/${architecture}")
    _weft_list_folder(list ${target})
    string(APPEND list "/${architecture}/reports.tsv")
    foreach(name "${folder}/plans/manifest.json" "${folder}/image.cubin" "${list}")
      list(APPEND inputs "${CMAKE_CURRENT_BINARY_DIR}/${name}")
    endforeach()
    list(APPEND arguments --manifest "${folder}/plans/manifest.json" --image "${folder}/image.cubin"
                          "${list}")
  endforeach()
  get_target_property(against ${target} WEFT_REPORT_AGAINST)
  if(against)
    list(APPEND inputs "${against}")
    list(APPEND arguments --against "${against}")
  endif()
  # The command leaves the report alone if its text stays the same. Ninja handles that.
  set(then "")
  if(NOT CMAKE_GENERATOR MATCHES "^Ninja")
    set(then COMMAND "${CMAKE_COMMAND}" -E touch "${report}")
  endif()
  add_custom_command(OUTPUT "${report}" DEPENDS ${inputs} ${job_reports}
                     COMMAND "${weft}" report --title "${target}" ${arguments}
                             ${output} "${report}" ${then}
                     WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
                     COMMENT "Weft report ${target}" VERBATIM)
  if(CMAKE_GENERATOR MATCHES "^Ninja")
    # The target itself cannot depend on the report, for the reason that _weft_link_program
    # explains.
    get_target_property(is_apart ${target} EXCLUDE_FROM_ALL)
    set(all ALL)
    if(is_apart)
      set(all "")
    endif()
    add_custom_target(${target}_weft_report ${all} DEPENDS "${report}")
    set_property(GLOBAL APPEND PROPERTY WEFT_REPORT_MAKERS ${target}_weft_report)
  else()
    set_source_files_properties("${report}" PROPERTIES GENERATED ON HEADER_FILE_ONLY ON)
    target_sources(${target} PRIVATE "${report}")
    set_property(GLOBAL APPEND PROPERTY WEFT_REPORT_MAKERS ${target})
  endif()
endfunction()
