include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_arithmetic.cmake")

# _weft_route_options(<target> <options>)
#
# Sorts the user's options by the step that takes them, into the target's properties
# WEFT_THINLINK_OPTIONS, WEFT_CODEGEN_OPTIONS and WEFT_ASSEMBLE_OPTIONS, and the number of jobs that
# --full gives into WEFT_FULL. Options of floating-point arithmetic go to _weft_arithmetic. Any
# other option of a step or of ptxas has -Xsummarize=, -Xthinlink=, -Xcodegen=, -Xassemble= or
# -Xptxas= before it; those of summarize are for the target's own units.
function(_weft_route_options target options)
  set(summarize "")
  set(thinlink "")
  set(codegen "")
  set(assemble "")
  set(arithmetic "")
  set(full "")
  foreach(option IN LISTS options)
    if(option MATCHES "^--import-instr-(limit|evolution-factor)=."
       OR option MATCHES "^--(closure-(limit|growth)=.|close-modules=(true|false)$)"
       OR option STREQUAL "--optimize-unused-variables")
      list(APPEND thinlink "${option}")
    elseif(option MATCHES "^--full(=([1-9][0-9]*))?$")
      # The jobs have to be known before the thin link runs, so it gets their number in any case.
      set(full 1)
      if(CMAKE_MATCH_2)
        set(full ${CMAKE_MATCH_2})
      endif()
    elseif(option MATCHES "^(-O([0-3]|fast-compile=(0|min|mid|max))$|--inline[a-z-]+=.)"
           OR option MATCHES "^--(aggressive-inline|nv-inline-all|unroll-loops)$"
           OR option MATCHES "^--disable-inlin(ing|ed-alloca-merging)$")
      list(APPEND codegen "${option}")
    elseif(option MATCHES "^--(search|(whole-kernels|clone-functions)=(true|false))$")
      list(APPEND assemble "${option}")
    elseif(option MATCHES "^--(ftz|prec-div|prec-sqrt|fmad)=([01]|true|false)$")
      list(APPEND arithmetic "${option}")
    elseif(option MATCHES "^-X(summarize|thinlink|codegen|assemble)=(.+)$")
      list(APPEND ${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    elseif(option MATCHES "^-Xptxas=(.+)$")
      list(APPEND assemble "--Xptxas=${CMAKE_MATCH_1}")
    else()
      message(FATAL_ERROR "weft_device_thinlto: unknown option '${option}' for '${target}'. Known "
                          "are -O0 to -O3, -Ofast-compile=LEVEL, the --inline-... options, "
                          "--unroll-loops, --import-instr-limit=N, "
                          "--import-instr-evolution-factor=F, --close-modules=BOOL, "
                          "--closure-limit=N, --closure-growth=PERCENT, "
                          "--optimize-unused-variables, --full=N, --whole-kernels=BOOL, "
                          "--clone-functions=BOOL, --search, --ftz=BOOL, --prec-div=BOOL, "
                          "--prec-sqrt=BOOL, --fmad=BOOL, and -Xsummarize=OPTION, "
                          "-Xthinlink=OPTION, -Xcodegen=OPTION, -Xassemble=OPTION and "
                          "-Xptxas=OPTION.")
    endif()
  endforeach()
  if(full)
    list(APPEND thinlink "--full=${full}")
  endif()
  _weft_arithmetic(${target} "${arithmetic}")
  set_property(TARGET ${target} APPEND PROPERTY WEFT_UNIT_OPTIONS ${summarize})
  set_target_properties(${target} PROPERTIES
    WEFT_THINLINK_OPTIONS "${thinlink}"
    WEFT_FULL "${full}"
    WEFT_CODEGEN_OPTIONS "${codegen}"
    WEFT_ASSEMBLE_OPTIONS "${assemble}")
endfunction()
