include_guard(GLOBAL)

# _weft_newest_ptx(<out>)
#
# Sets <out> to the option of `backend-job codegen` with the newest version of PTX that this ptxas
# takes, or to the empty string if it does not say. clang asks for the version of the newest CUDA
# that it knows, and an earlier ptxas refuses it. CMake configures again when ptxas changes.
function(_weft_newest_ptx out)
  get_target_property(ptxas Weft::ptxas IMPORTED_LOCATION)
  get_property(known GLOBAL PROPERTY "WEFT_NEWEST_PTX_${ptxas}" SET)
  if(NOT known)
    # ptxas says what it takes in its message about a version that will never be.
    set(probe "${CMAKE_BINARY_DIR}/CMakeFiles/weft-newest.ptx")
    file(WRITE "${probe}" ".version 99.9\n.target sm_90\n.address_size 64\n")
    execute_process(COMMAND "${ptxas}" weft-newest.ptx -o weft-newest.cubin
                    WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/CMakeFiles"
                    OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
    set(option "")
    if(said MATCHES "current version is '([0-9]+\\.[0-9])'")
      set(option "--newest-ptx=${CMAKE_MATCH_1}")
    endif()
    set_property(GLOBAL PROPERTY "WEFT_NEWEST_PTX_${ptxas}" "${option}")
    set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${ptxas}")
  endif()
  get_property(option GLOBAL PROPERTY "WEFT_NEWEST_PTX_${ptxas}")
  set(${out} "${option}" PARENT_SCOPE)
endfunction()
