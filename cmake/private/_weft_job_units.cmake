include_guard(GLOBAL)

# _weft_job_units(<variable> <target> <unit>...)
#
# Sets <variable> to the module ids of the units with a job: all of <unit>, which are sorted, or the
# first of each job if WEFT_FULL of <target> is a number of jobs. The thin link divides the units in
# the same way.
function(_weft_job_units variable target)
  set(units "${ARGN}")
  get_target_property(number ${target} WEFT_FULL)
  list(LENGTH units count)
  if(number AND number LESS count)
    set(firsts "")
    set(last -1)
    set(position 0)
    foreach(unit IN LISTS units)
      math(EXPR job "${position} * ${number} / ${count}")
      if(NOT job EQUAL last)
        list(APPEND firsts "${unit}")
      endif()
      set(last ${job})
      math(EXPR position "${position} + 1")
    endforeach()
    set(units "${firsts}")
  endif()
  set(${variable} "${units}" PARENT_SCOPE)
endfunction()
