include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/_weft_all_sources.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/_weft_compiled_as_cuda.cmake")

# _weft_target_sources(<out cuda> <out host> <out objects of> <out unreadable> <target>)
#
# Finds the sources that a target of this project compiles, its own and those that libraries add to
# it: absolute paths of its CUDA sources and of its sources in other languages, the object libraries
# whose objects are among its sources, and the sources that cannot be known at configure time. Of
# the CUDA sources, <out cuda>_by_option are those that are C++ for CMake and CUDA by an option.
#
# The sources of a library are asked for by each program that links it. When no more calls of its
# folder can follow, they are sorted once and kept in properties of the target: WEFT_SOURCES_KEY,
# which says for which list they hold, and WEFT_SOURCES_<KIND>.
function(_weft_target_sources out_cuda out_host out_libraries out_unreadable target)
  _weft_compiled_as_cuda(is_cuda_by_option ${target})
  _weft_all_sources(sources ${target})
  get_property(key TARGET ${target} PROPERTY WEFT_SOURCES_KEY)
  if(NOT key STREQUAL "${is_cuda_by_option}|${sources}")
    _weft_sort_sources(${target} "${sources}" ${is_cuda_by_option})
    _weft_is_folder_over(is_over ${target})
    if(is_over)
      set_property(TARGET ${target} PROPERTY WEFT_SOURCES_KEY "${is_cuda_by_option}|${sources}")
    endif()
  endif()
  foreach(kind CUDA BY_OPTION HOST LIBRARIES UNREADABLE)
    get_property(sources_${kind} TARGET ${target} PROPERTY WEFT_SOURCES_${kind})
  endforeach()
  set(${out_cuda} "${sources_CUDA}" PARENT_SCOPE)
  set(${out_cuda}_by_option "${sources_BY_OPTION}" PARENT_SCOPE)
  set(${out_host} "${sources_HOST}" PARENT_SCOPE)
  set(${out_libraries} "${sources_LIBRARIES}" PARENT_SCOPE)
  set(${out_unreadable} "${sources_UNREADABLE}" PARENT_SCOPE)
endfunction()

# _weft_is_folder_over(<out> <target>)
#
# Sets <out> to whether CMake has read all of the folder that makes the target, except for deferred
# calls. CMake reads folders one in the other, so only folders above the present one are not over.
function(_weft_is_folder_over out target)
  get_target_property(folder ${target} SOURCE_DIR)
  set(above "${CMAKE_CURRENT_SOURCE_DIR}")
  set(is_over ON)
  while(above AND is_over)
    get_property(above DIRECTORY "${above}" PROPERTY PARENT_DIRECTORY)
    if(above STREQUAL folder)
      set(is_over OFF)
    endif()
  endwhile()
  set(${out} ${is_over} PARENT_SCOPE)
endfunction()

# _weft_sort_sources(<target> <sources> <is cuda by option>)
#
# Sorts the sources of a target by their kinds into its properties WEFT_SOURCES_<KIND>.
function(_weft_sort_sources target sources is_cuda_by_option)
  foreach(list cuda by_option host libraries unreadable)
    set(${list} "")
  endforeach()
  get_target_property(folder ${target} SOURCE_DIR)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  foreach(source IN LISTS sources)
    if(source MATCHES "^\\$<TARGET_OBJECTS:([^<>]+)>$")
      list(APPEND libraries "${CMAKE_MATCH_1}")
      continue()
    elseif(source MATCHES "\\$<")
      list(APPEND unreadable "${source}")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE OUTPUT_VARIABLE path)
    if(NOT EXISTS "${path}")
      # A generated source may be given relative to the build tree.
      get_target_property(binary_folder ${target} BINARY_DIR)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${binary_folder}" NORMALIZE
                 OUTPUT_VARIABLE other)
      get_source_file_property(generated "${other}" TARGET_DIRECTORY ${target} GENERATED)
      if(generated)
        set(path "${other}")
      endif()
    endif()
    get_source_file_property(is_header "${path}" TARGET_DIRECTORY ${target} HEADER_FILE_ONLY)
    if(is_header)
      continue()
    endif()
    get_source_file_property(language "${path}" TARGET_DIRECTORY ${target} LANGUAGE)
    if(NOT language)
      cmake_path(GET path EXTENSION LAST_ONLY extension)
      string(REGEX REPLACE "^\\." "" extension "${extension}")
      foreach(candidate IN LISTS languages)
        if(extension IN_LIST CMAKE_${candidate}_SOURCE_FILE_EXTENSIONS)
          set(language ${candidate})
          break()
        endif()
      endforeach()
      if(extension MATCHES "^(o|obj)$")
        list(APPEND unreadable "${source}")
      endif()
    endif()
    if(language STREQUAL "CXX")
      set(is_cuda "${is_cuda_by_option}")
      if(NOT is_cuda)
        get_source_file_property(options "${path}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
        get_source_file_property(flags "${path}" TARGET_DIRECTORY ${target} COMPILE_FLAGS)
        _weft_says_cuda(is_cuda ${target} "${options};${flags}")
      endif()
      if(is_cuda)
        list(APPEND cuda "${path}")
        list(APPEND by_option "${path}")
        continue()
      endif()
    endif()
    if(language STREQUAL "CUDA")
      list(APPEND cuda "${path}")
    elseif(language)
      list(APPEND host "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES cuda)
  list(REMOVE_DUPLICATES host)
  set_target_properties(${target} PROPERTIES
    WEFT_SOURCES_CUDA "${cuda}"
    WEFT_SOURCES_BY_OPTION "${by_option}"
    WEFT_SOURCES_HOST "${host}"
    WEFT_SOURCES_LIBRARIES "${libraries}"
    WEFT_SOURCES_UNREADABLE "${unreadable}")
endfunction()
