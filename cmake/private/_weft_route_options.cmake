include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_arithmetic.cmake")

# _weft_route_options(<target> <options>)
#
# Sorts the user's options by the step that takes them, into the target's properties
# WEFT_THINLINK_OPTIONS, WEFT_CODEGEN_OPTIONS and WEFT_ASSEMBLE_OPTIONS. Options of floating-point
# arithmetic go to _weft_arithmetic.
function(_weft_route_options target options)
  set(thinlink "")
  set(codegen "")
  set(assemble "")
  set(arithmetic "")
  foreach(option IN LISTS options)
    if(option MATCHES "^--import-instr-(limit|evolution-factor)=."
       OR option MATCHES "^--(closure-(limit|growth)=.|close-modules=(true|false)$)"
       OR option STREQUAL "--optimize-unused-variables")
      list(APPEND thinlink "${option}")
    elseif(option MATCHES "^(-O([0-3]|fast-compile=(min|mid|max))$|--inline-[a-z]+(-budget)?=.)"
           OR option MATCHES "^--(aggressive-inline|nv-inline-all|unroll-loops)$"
           OR option MATCHES "^--disable-inlin(ing|ed-alloca-merging)$")
      list(APPEND codegen "${option}")
    elseif(option MATCHES "^--(whole-kernels|clone-functions)=(true|false)$")
      list(APPEND assemble "${option}")
    elseif(option MATCHES "^--(ftz|prec-div|prec-sqrt|fmad)=([01]|true|false)$")
      list(APPEND arithmetic "${option}")
    elseif(option MATCHES "^-Xptxas=(.+)$")
      list(APPEND assemble "--Xptxas=${CMAKE_MATCH_1}")
    else()
      message(FATAL_ERROR "weft_device_thinlto: unknown option '${option}' for '${target}'. Known "
                          "are -O0 to -O3, -Ofast-compile=LEVEL, the --inline-... options, "
                          "--unroll-loops, --import-instr-limit=N, "
                          "--import-instr-evolution-factor=F, --close-modules=BOOL, "
                          "--closure-limit=N, --closure-growth=PERCENT, "
                          "--optimize-unused-variables, --whole-kernels=BOOL, "
                          "--clone-functions=BOOL, --ftz=BOOL, --prec-div=BOOL, "
                          "--prec-sqrt=BOOL, --fmad=BOOL and -Xptxas=OPTION.")
    endif()
  endforeach()
  _weft_arithmetic(${target} "${arithmetic}")
  set_target_properties(${target} PROPERTIES
    WEFT_THINLINK_OPTIONS "${thinlink}"
    WEFT_CODEGEN_OPTIONS "${codegen}"
    WEFT_ASSEMBLE_OPTIONS "${assemble}")
endfunction()
