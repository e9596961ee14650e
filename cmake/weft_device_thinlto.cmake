include_guard(GLOBAL)

include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_add_guard.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_check_generator.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_compiler_problem.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_finish_project.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_finish_target.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_library_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_mark_target.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_opaque_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_report_file.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/private/_weft_route_options.cmake")

# weft_device_thinlto(TARGET <target>
#                     [ARCHITECTURES <architecture>...]
#                     [OPTIONS <option>...]
#                     [OPAQUE <file>...]
#                     [LIBRARIES <file>...]
#                     [KEEP <symbol>...]
#                     [REMOTE_EXECUTOR <url>] [REMOTE_CACHE <url>]
#                     [REMOTE_PLATFORM <property>...] [REMOTE_MEMORY_CLASSES <class>...]
#                     [REPORT <file> [REPORT_AGAINST <file>]]
#                     [FEEDBACK <file>]
#                     [DEPENDENCIES])
#
# Optimizes the device code of a target across its units, with one build step per unit and phase, or
# per job and phase where the option --full packs units into fewer jobs.
#
# TARGET         an executable, a shared library or a module library, whose device code Weft links
#                with that of the marked static and object libraries that it links; or a static or
#                object library, which the call marks, so that programs can take its device code in
# ARCHITECTURES  such as sm_90 or 90; otherwise the target's CUDA_ARCHITECTURES
# OPTIONS        options of the steps, by their own spelling, such as -O2, --full=4 or --search:
#                _weft_known_options.cmake lists them. -Xsummarize=OPTION, -Xthinlink=OPTION,
#                -Xcodegen=OPTION, -Xassemble=OPTION and -Xptxas=OPTION are for one step or for
#                ptxas. Options about the compilation of units are for the target's own: --ftz=BOOL,
#                --prec-div=BOOL, --prec-sqrt=BOOL and --fmad=BOOL as in nvcc, --generate-line-info,
#                --maxrregcount=N, --split-compile=N. A library takes these alone
# OPAQUE         files with device code but no bitcode, to be linked in as they are: relocatable
#                cubins, fat binaries, objects, static libraries. Symbols of the target that they
#                need are kept.
# LIBRARIES      libraries of device bitcode (.bc) that the device code calls, such as a vendor's.
#                Host code launches no kernel of them and names no variable of them, so only what
#                the program reaches stays. `<architecture>` in a name stands for each architecture,
#                such as sm_90.
# KEEP           symbols that are kept even if nothing refers to them
# REMOTE_EXECUTOR  a REAPI cluster that runs the steps: grpc://HOST:PORT or grpcs://HOST:PORT
# REMOTE_CACHE   a cache of results, by the same kinds of address, or http:// or https://
# REMOTE_PLATFORM  properties that the cluster's workers must have: NAME=VALUE, or for one phase
#                alone PHASE:NAME=VALUE, such as codegen:pool=large
# REMOTE_MEMORY_CLASSES  properties of workers by their memory, SIZE:NAME=VALUE, such as
#                2G:pool=small; a step that runs out of memory is tried in the next class
# REPORT         file to which the build writes a report on the linked device code: kernels with
#                their resources, imports, inlined functions, times. It is a page if it ends in
#                .html, the same data for scripts if it ends in .json, a short form for reviews in
#                Markdown if it ends in .md, and otherwise a text. A relative path starts at the
#                build folder. The target weft_report prints the reports of all targets.
# REPORT_AGAINST  an earlier build that the report compares with: its data, its page, or a program
#                that was linked without Weft. A relative path starts at the source folder.
# FEEDBACK       what earlier builds said about kernels, as `weft tune` and `weft feedback` write
#                it: kernels get the inlining budgets and the limits of registers that it chooses.
#                An empty file chooses nothing. A relative path starts at the source folder.
# DEPENDENCIES   marks the static and object libraries of the project with CUDA sources that the
#                target links, too, with the target's options of floating-point arithmetic. A
#                library that has a call of its own keeps its own options.
#
# A program is marked in the CMakeLists.txt that makes it; a static or object library may be marked
# in another one. Sources, options and libraries may be added after the call, in the same
# CMakeLists.txt: they are read at its end.
function(weft_device_thinlto)
  cmake_parse_arguments(PARSE_ARGV 0 arg "DEPENDENCIES"
                        "TARGET;REMOTE_EXECUTOR;REMOTE_CACHE;REPORT;REPORT_AGAINST;FEEDBACK"
                        "ARCHITECTURES;OPTIONS;OPAQUE;LIBRARIES;KEEP;REMOTE_PLATFORM;REMOTE_MEMORY_CLASSES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "weft_device_thinlto: unknown arguments: ${arg_UNPARSED_ARGUMENTS}. Known "
                        "are TARGET, ARCHITECTURES, OPTIONS, OPAQUE, LIBRARIES, KEEP, "
                        "REMOTE_EXECUTOR, REMOTE_CACHE, REMOTE_PLATFORM, REMOTE_MEMORY_CLASSES, "
                        "REPORT, REPORT_AGAINST, FEEDBACK and DEPENDENCIES.")
  endif()
  # A list may be empty, as that of a variable may be.
  list(REMOVE_ITEM arg_KEYWORDS_MISSING_VALUES ARCHITECTURES OPTIONS OPAQUE LIBRARIES KEEP
       REMOTE_PLATFORM REMOTE_MEMORY_CLASSES)
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "weft_device_thinlto: no value after ${arg_KEYWORDS_MISSING_VALUES}.")
  endif()
  if(NOT arg_TARGET)
    message(FATAL_ERROR "weft_device_thinlto: say which target: TARGET <target>.")
  endif()
  set(target "${arg_TARGET}")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "weft_device_thinlto: there is no target '${target}'. Call it after "
                        "add_executable or add_library.")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()

  _weft_check_generator()
  _weft_compiler_problem(problem)
  if(problem)
    message(FATAL_ERROR "weft_device_thinlto: ${problem}")
  endif()

  get_target_property(type ${target} TYPE)
  get_target_property(imported ${target} IMPORTED)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC|OBJECT)_LIBRARY)$")
    message(FATAL_ERROR "weft_device_thinlto: '${target}' is nothing that this project compiles. "
                        "Name an executable or a library with sources.")
  endif()
  set(is_program ON)
  if(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set(is_program OFF)
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  if(is_program AND NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "weft_device_thinlto: '${target}' is made in another folder. Call it in "
                        "${folder}/CMakeLists.txt: only there CMake can add a command after its "
                        "link.")
  elseif(arg_DEPENDENCIES AND NOT is_program)
    message(FATAL_ERROR "weft_device_thinlto: DEPENDENCIES of '${target}', which is a library. "
                        "Give it to the programs that link the library.")
  endif()
  get_target_property(marked ${target} WEFT_DEVICE_THINLTO)
  if(marked)
    message(FATAL_ERROR "weft_device_thinlto: called twice for '${target}'. Once is enough.")
  endif()

  # The address may hold a password, so no message repeats it.
  if(arg_REMOTE_EXECUTOR AND NOT arg_REMOTE_EXECUTOR MATCHES "^(grpcs?://[^/]+/?$|unix:/)")
    message(FATAL_ERROR "weft_device_thinlto: REMOTE_EXECUTOR is no address like "
                        "grpcs://host:8980.")
  endif()
  if(arg_REMOTE_CACHE AND NOT arg_REMOTE_CACHE MATCHES
     "^(grpcs?://[^/]+/?$|https?://[^/]+|unix:/)")
    message(FATAL_ERROR "weft_device_thinlto: REMOTE_CACHE is no address like grpcs://host:8980 or "
                        "https://host/path.")
  endif()
  _weft_route_options(${target} "${arg_OPTIONS}" ${is_program})
  _weft_opaque_files(opaque ${target} "${arg_OPAQUE}")
  _weft_library_files(library_files ${target} "${arg_LIBRARIES}")
  _weft_report_file(report ${target} "${arg_REPORT}")
  set(against "")
  if(arg_REPORT_AGAINST AND NOT report)
    message(FATAL_ERROR "weft_device_thinlto: REPORT_AGAINST of '${target}', which has no REPORT to "
                        "compare with it.")
  elseif(arg_REPORT_AGAINST)
    cmake_path(ABSOLUTE_PATH arg_REPORT_AGAINST BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
               NORMALIZE OUTPUT_VARIABLE against)
  endif()
  set(feedback "")
  if(arg_FEEDBACK)
    cmake_path(ABSOLUTE_PATH arg_FEEDBACK BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE
               OUTPUT_VARIABLE feedback)
    if(NOT EXISTS "${feedback}")
      message(FATAL_ERROR "weft_device_thinlto: FEEDBACK of '${target}': there is no file "
                          "${feedback}. Begin with an empty one.")
    endif()
  endif()
  set_target_properties(${target} PROPERTIES
    WEFT_FEEDBACK "${feedback}"
    WEFT_KEEP "${arg_KEEP}"
    WEFT_OPAQUE "${opaque}"
    WEFT_LIBRARY_FILES "${library_files}"
    WEFT_REPORT "${report}"
    WEFT_REPORT_AGAINST "${against}"
    WEFT_REMOTE_EXECUTOR "${arg_REMOTE_EXECUTOR}"
    WEFT_REMOTE_CACHE "${arg_REMOTE_CACHE}"
    WEFT_REMOTE_PLATFORM "${arg_REMOTE_PLATFORM}"
    WEFT_REMOTE_MEMORY_CLASSES "${arg_REMOTE_MEMORY_CLASSES}"
    WEFT_MARKS_DEPENDENCIES "${arg_DEPENDENCIES}")
  if(arg_ARCHITECTURES)
    list(TRANSFORM arg_ARCHITECTURES REPLACE "^sm_" "")
    set_property(TARGET ${target} PROPERTY CUDA_ARCHITECTURES "${arg_ARCHITECTURES}")
  endif()
  _weft_mark_target(${target})
  if(is_program)
    _weft_add_guard(${target})
  endif()

  # The project is finished once, after the calls that its top folder defers.
  get_property(is_finished GLOBAL PROPERTY WEFT_FINISHES_PROJECT)
  if(NOT is_finished)
    set_property(GLOBAL PROPERTY WEFT_FINISHES_PROJECT ON)
    cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${CMAKE_SOURCE_DIR}]==]
      CALL cmake_language DEFER CALL _weft_finish_project)")
  endif()

  # The target is finished at the end of its own folder or, if that is over, of this one. Arguments
  # of a deferred call are expanded when it runs, so the name is inserted as text.
  set(open "${CMAKE_CURRENT_SOURCE_DIR}")
  while(open AND NOT open STREQUAL folder)
    get_property(open DIRECTORY "${open}" PROPERTY PARENT_DIRECTORY)
  endwhile()
  if(NOT open)
    set(folder "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [==[${folder}]==]
    CALL _weft_finish_target [==[${target}]==])")
endfunction()
