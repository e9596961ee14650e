include_guard(GLOBAL)

# _weft_add_report_target()
#
# Adds the target weft_report, which prints the reports of all targets, if there are any. It belongs
# to the top folder, as projects may treat all targets of a folder as their own.
function(_weft_add_report_target)
  get_property(reports GLOBAL PROPERTY WEFT_REPORTS)
  get_property(makers GLOBAL PROPERTY WEFT_REPORT_MAKERS)
  if(reports)
    add_custom_target(weft_report COMMAND "${CMAKE_COMMAND}" -E cat ${reports}
                      USES_TERMINAL VERBATIM)
    add_dependencies(weft_report ${makers})
  endif()
endfunction()
