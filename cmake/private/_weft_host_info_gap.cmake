include_guard(GLOBAL)

# _weft_host_info_gap(<out> <target>)
#
# Sets <out> to the reasons why host code that Weft does not read may launch kernels of a program,
# as far as they concern <target>, which is the program or one of its libraries. Sets it to the
# empty string if there are none.
function(_weft_host_info_gap out target)
  set(gaps "")
  get_target_property(is_lto ${target} INTERPROCEDURAL_OPTIMIZATION)
  get_target_property(options ${target} COMPILE_OPTIONS)
  if(is_lto OR "${options} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "(^|[ ;:])-flto")
    list(APPEND gaps "${target} has host objects for link-time optimisation, which hide references")
  endif()
  get_target_property(has_moc ${target} AUTOMOC)
  get_target_property(is_unity ${target} UNITY_BUILD)
  if(has_moc OR is_unity)
    list(APPEND gaps "${target} compiles more than its sources (AUTOMOC, UNITY_BUILD)")
  endif()
  set(${out} "${gaps}" PARENT_SCOPE)
endfunction()
