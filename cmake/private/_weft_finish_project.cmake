include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_add_report_target.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_check_project.cmake")

# _weft_finish_project()
#
# Runs at the end of the top folder, when the whole project is known.
function(_weft_finish_project)
  _weft_check_project("${CMAKE_SOURCE_DIR}")
  _weft_add_report_target()
endfunction()
