include_guard(GLOBAL)

# _weft_find_programs(<out>)
#
# Makes the imported programs Weft::summarize, Weft::thinlink, Weft::backend-job, Weft::weft,
# Weft::ptxas, Weft::nvlink and Weft::fatbinary. Sets <out> to the missing programs, with the
# remedy, or to the empty string if none is missing.
#
# Programs are looked up in every configuration and not kept in the cache: the folders follow from
# the compiler and from Weft_EXECUTABLES_DIR, and a change of these must take effect.
function(_weft_find_programs out)
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH package)
  if(Weft_EXECUTABLES_DIR)
    set(weft_folders "${Weft_EXECUTABLES_DIR}")
  elseif(package MATCHES "/cmake/Weft$")
    # The package is in an install tree: lib/cmake/Weft beside bin.
    cmake_path(SET weft_folders NORMALIZE "${package}/../../../bin")
  else()
    cmake_path(GET package PARENT_PATH checkout)
    set(weft_folders "${checkout}/target/release" "${checkout}/target/debug")
  endif()
  set(cuda_folders "${CMAKE_CUDA_COMPILER_TOOLKIT_ROOT}/bin")

  set(missing "")
  foreach(group weft cuda)
    if(group STREQUAL "weft")
      set(names summarize thinlink backend-job weft)
      string(CONCAT remedy "build Weft with `cargo build --release` or set Weft_EXECUTABLES_DIR to "
                           "its folder")
    else()
      set(names ptxas nvlink fatbinary)
      set(remedy "set CUDAToolkit_ROOT to a CUDA toolkit that has it")
    endif()
    foreach(name IN LISTS names)
      find_program(program NAMES ${name} PATHS ${${group}_folders} NO_DEFAULT_PATH NO_CACHE)
      if(program)
        if(NOT TARGET Weft::${name})
          add_executable(Weft::${name} IMPORTED GLOBAL)
        endif()
        file(REAL_PATH "${program}" program)
        set_property(TARGET Weft::${name} PROPERTY IMPORTED_LOCATION "${program}")
      else()
        list(JOIN ${group}_folders ", " looked)
        string(APPEND missing "${name} is not in ${looked}: ${remedy}. ")
      endif()
      unset(program)
    endforeach()
  endforeach()
  string(STRIP "${missing}" missing)
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()
