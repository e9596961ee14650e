include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_imported_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_imported_modules.cmake")

# _weft_collect_imported(<out> <target> <architectures> <library>...)
#
# Finds the units with device bitcode in libraries that packages bring, such as installed ones of
# projects that use Weft. Sets <out> to their module ids, in link order, and properties of the
# target:
#
# WEFT_ARCHIVES        ids of the files that hold such units; each file has one summary for all
# WEFT_OBJECT_<id>     path of a file, also for the id of each of its units
# WEFT_OPTIONS_<id>    options of summarize for the file
#
# A file is named by its name alone, as a package may be installed anywhere. If a program links two
# files of one name, the second has a number behind it.
function(_weft_collect_imported out target architectures)
  set(units "")
  set(ids "")
  set(seen "")
  foreach(library IN LISTS ARGN)
    _weft_imported_files(files ${library})
    foreach(file IN LISTS files)
      if(file IN_LIST seen)
        continue()
      endif()
      list(APPEND seen "${file}")
      cmake_path(GET file FILENAME name)
      set(id "external/${name}")
      if("${id}" IN_LIST ids)
        list(LENGTH ids number)
        string(APPEND id "@${number}")
      endif()
      _weft_imported_modules(modules "${file}" "${id}")
      if(NOT modules)
        continue()
      endif()
      list(APPEND ids "${id}")
      foreach(architecture IN LISTS architectures)
        if(NOT architecture IN_LIST modules_architectures)
          list(JOIN modules_architectures ", " present)
          message(FATAL_ERROR "weft_device_thinlto: '${target}' is built for ${architecture}, but "
                              "${file} of '${library}', which it links, holds device code for "
                              "${present} only. Build both for the same architectures.")
        endif()
      endforeach()
      list(APPEND units ${modules})
      foreach(module IN LISTS modules ITEMS "${id}")
        set_property(TARGET ${target} PROPERTY "WEFT_OBJECT_${module}" "${file}")
      endforeach()
      set(unit_options "")
      if(TARGET "${library}")
        get_property(unit_options TARGET ${library} PROPERTY WEFT_UNIT_OPTIONS)
      endif()
      set_property(TARGET ${target} PROPERTY "WEFT_OPTIONS_${id}" "${unit_options}")
    endforeach()
  endforeach()
  set_property(TARGET ${target} PROPERTY WEFT_ARCHIVES "${ids}")
  set(${out} "${units}" PARENT_SCOPE)
endfunction()
