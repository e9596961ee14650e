include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_arithmetic.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_read_option.cmake")

# _weft_route_options(<target> <options> <is_program>)
#
# Sorts the user's options by the steps that take them, into the target's properties
# WEFT_IMPORT_OPTIONS, WEFT_THINLINK_OPTIONS, WEFT_CODEGEN_OPTIONS and WEFT_ASSEMBLE_OPTIONS, those
# of NVIDIA's programs into WEFT_NVLINK_OPTIONS and WEFT_FATBINARY_OPTIONS, files that such options
# name into WEFT_FILES_OF_<STEP>, options that every step takes into WEFT_EXECUTION_OPTIONS, and the
# number of jobs that --full gives into WEFT_FULL. What concerns the target's own units goes to
# _weft_arithmetic and into WEFT_UNIT_OPTIONS, and that is all that a library takes. Options of
# tools have -X and the name of the step or tool before them.
function(_weft_route_options target options is_program)
  set(every summarize thinlink import codegen assemble nvlink fatbinary)
  foreach(step IN LISTS every ITEMS execution)
    set(${step} "")
    set(${step}_files "")
  endforeach()
  set(compile "")
  set(full "")
  foreach(option IN LISTS options)
    set(of_link "${option}")
    if(option MATCHES "^-X(summarize|thinlink|codegen|assemble|nvlink|fatbinary)=(.+)$")
      list(APPEND ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
      if(CMAKE_MATCH_1 STREQUAL "summarize")
        set(of_link "")
      endif()
    elseif(option MATCHES "^-Xptxas=(.+)$")
      list(APPEND assemble "--Xptxas=${CMAKE_MATCH_1}")
    else()
      _weft_read_option(steps ${target} "${option}")
      if(steps STREQUAL every)
        list(APPEND execution "${steps_word}")
        set(steps "")
      elseif(steps_name STREQUAL "--full")
        # The jobs have to be known before the thin link runs, so it gets their number in any case.
        set(full 1)
        if(steps_value MATCHES "^[1-9][0-9]*$")
          set(full ${steps_value})
        elseif(NOT "${steps_value}" STREQUAL "")
          message(FATAL_ERROR "weft_device_thinlto: option '${option}' of '${target}': the number "
                              "of jobs is 1 or more.")
        endif()
        set(steps "")
      endif()
      foreach(step IN LISTS steps)
        if(step MATCHES "^(unit|summarize)$")
          set(of_link "")
        endif()
        if(step STREQUAL "unit")
          string(REGEX REPLACE "^--" "" name "${steps_name}")
          list(APPEND compile "${name}=${steps_value}")
        else()
          list(APPEND ${step} "${steps_word}")
          if(steps_is_file)
            list(APPEND ${step}_files "${steps_value}")
          endif()
        endif()
      endforeach()
    endif()
    if(of_link AND NOT is_program)
      message(FATAL_ERROR "weft_device_thinlto: option '${of_link}' of '${target}' is for the device "
                          "link, and this target is a library. Give it to the programs that link "
                          "the library.")
    endif()
  endforeach()
  if(full)
    list(APPEND thinlink "--full=${full}")
  endif()
  if("--codegen=libnvvm" IN_LIST codegen AND NOT "${codegen}" MATCHES "(^|;)--libnvvm=")
    set(libnvvm "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/nvvm/lib64/libnvvm.so")
    if(NOT EXISTS "${libnvvm}")
      message(FATAL_ERROR "weft_device_thinlto: option '--codegen=libnvvm' of '${target}': there is "
                          "no ${libnvvm}. Name the library: --libnvvm=FILE.")
    endif()
    list(APPEND codegen "--libnvvm=${libnvvm}")
    list(APPEND codegen_files "${libnvvm}")
  endif()
  _weft_arithmetic(${target} "${compile}")
  set_property(TARGET ${target} APPEND PROPERTY WEFT_UNIT_OPTIONS ${summarize})
  set_target_properties(${target} PROPERTIES
    WEFT_FULL "${full}"
    WEFT_EXECUTION_OPTIONS "${execution}")
  foreach(step thinlink import codegen assemble nvlink fatbinary)
    string(TOUPPER ${step} upper)
    set_target_properties(${target} PROPERTIES
      WEFT_${upper}_OPTIONS "${${step}}"
      WEFT_FILES_OF_${upper} "${${step}_files}")
  endforeach()
endfunction()
