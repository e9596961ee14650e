include_guard(GLOBAL)

# _weft_add_report_target()
#
# Adds the target weft_report, which prints the reports of all targets, if there are any, and names
# those that are not for a terminal. It belongs to the top folder, as projects may treat all targets
# of a folder as their own.
function(_weft_add_report_target)
  get_property(reports GLOBAL PROPERTY WEFT_REPORTS)
  get_property(makers GLOBAL PROPERTY WEFT_REPORT_MAKERS)
  if(reports)
    set(texts ${reports})
    list(FILTER texts EXCLUDE REGEX "\\.(html|json)$")
    list(FILTER reports INCLUDE REGEX "\\.(html|json)$")
    set(commands "")
    if(texts)
      list(APPEND commands COMMAND "${CMAKE_COMMAND}" -E cat ${texts})
    endif()
    foreach(report IN LISTS reports)
      list(APPEND commands COMMAND "${CMAKE_COMMAND}" -E echo "${report}")
    endforeach()
    add_custom_target(weft_report ${commands} USES_TERMINAL VERBATIM)
    add_dependencies(weft_report ${makers})
  endif()
endfunction()
