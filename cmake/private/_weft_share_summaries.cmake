include_guard(GLOBAL)

# _weft_share_summaries(<target> <architecture> <maker> <place> <files>)
#
# For Make: adds a target that makes <files>, summaries and bitcode in the folder <place> of units
# that <maker> compiles, or of the file of a package with that path, and lets <target> depend on it
# and on such targets of other programs. Make then has all files of the folder before it looks at
# the program's own graph, which takes them as files that are there.
#
# A program may need units that an earlier one did not; their target is another one.
function(_weft_share_summaries target architecture maker place files)
  get_property(targets GLOBAL PROPERTY "WEFT_SUMMARY_TARGETS_${place}")
  if(files)
    set(stem "${maker}")
    if(NOT TARGET "${maker}")
      cmake_path(GET maker STEM stem)
      string(MAKE_C_IDENTIFIER "${stem}" stem)
    endif()
    set(name "${stem}_weft_${architecture}")
    set(number 1)
    while(TARGET ${name})
      math(EXPR number "${number} + 1")
      set(name "${stem}_weft_${architecture}_${number}")
    endwhile()
    add_custom_target(${name} DEPENDS ${files})
    if(TARGET "${maker}")
      add_dependencies(${name} ${maker})
    endif()
    list(APPEND targets ${name})
    set_property(GLOBAL PROPERTY "WEFT_SUMMARY_TARGETS_${place}" "${targets}")
  endif()
  if(targets)
    add_dependencies(${target} ${targets})
  endif()
endfunction()
