# The older way to build kernels: ascendc_library(kernels STATIC add_custom.cpp), launched through the generated header
# aclrtlaunch_add_custom.h. Include it after project().
#
# Read: SOC_VERSION (Ascend910B3, …), RUN_MODE (npu, cpu, sim; all run here).
# Gives the target host_intf_pub (headers and library of acl) besides the functions below.
include_guard(DIRECTORY)
get_filename_component(ASCENDC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(RUN_MODE AND NOT RUN_MODE MATCHES "^(npu|cpu|sim|onboard)$")
  message(FATAL_ERROR "RUN_MODE is ${RUN_MODE}; it takes npu, cpu or sim")
endif()

# What the chip's name means is bisheng's table.
set(ASCENDC_ARCH_FLAG "")
if(SOC_VERSION)
  execute_process(COMMAND "${ASCENDC_PREFIX}/bin/bisheng" --npu-soc=${SOC_VERSION} --toprope-print-arch
                  RESULT_VARIABLE ascendc_result ERROR_VARIABLE ascendc_message OUTPUT_VARIABLE ascendc_arch
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT ascendc_result EQUAL 0)
    message(FATAL_ERROR "SOC_VERSION: ${ascendc_message}")
  endif()
  set(ASCENDC_ARCH_FLAG "--npu-arch=${ascendc_arch}")
endif()

find_package(ASC REQUIRED PATHS "${ASCENDC_PREFIX}/lib/cmake/ASC" NO_DEFAULT_PATH)
get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
if(NOT "ASC" IN_LIST languages)
  enable_language(ASC)
endif()

if(NOT TARGET host_intf_pub)
  add_library(host_intf_pub INTERFACE)
  target_include_directories(host_intf_pub SYSTEM INTERFACE "${ASCENDC_PREFIX}/include")
  target_link_libraries(host_intf_pub INTERFACE "${ASCENDC_PREFIX}/lib64/libascendcl.so")
endif()

# ascendc_library(<target> [STATIC | SHARED] <source>...): a library of kernels. Targets that link it find
# aclrtlaunch_<kernel>.h. Installed: lib/, and the headers in include/<target>/.
function(ascendc_library target)
  set(type STATIC)
  set(sources ${ARGN})
  list(GET sources 0 first)
  if(first MATCHES "^(STATIC|SHARED)$")
    set(type ${first})
    list(REMOVE_AT sources 0)
  endif()
  if(NOT sources)
    message(FATAL_ERROR "ascendc_library(${target}): no source files")
  endif()

  set(header_dir "${CMAKE_CURRENT_BINARY_DIR}/include/${target}")
  file(MAKE_DIRECTORY "${header_dir}")
  # What ascendc_compile_definitions, _options and _include_directories add reaches the header step, too.
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(options "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  set(stamps)
  set(depfile_supported FALSE)
  if(CMAKE_GENERATOR MATCHES "Ninja" OR NOT CMAKE_VERSION VERSION_LESS 3.20)
    set(depfile_supported TRUE)
  endif()
  foreach(source IN LISTS sources)
    get_filename_component(source "${source}" ABSOLUTE)
    string(MD5 hash "${source}")
    set(stamp "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/launch_${hash}.stamp")
    # Naming the headers as by-products lets Ninja rebuild what includes one in the same run.
    set(names)
    if(EXISTS "${source}")
      execute_process(COMMAND "${CMAKE_ASC_COMPILER}" -x asc --toprope-list-kernels "${source}"
                      OUTPUT_VARIABLE names OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(REPLACE "\n" ";" names "${names}")
    endif()
    set(headers ${names})
    list(TRANSFORM headers REPLACE "(.+)" "${header_dir}/aclrtlaunch_\\1.h")
    list(TRANSFORM names PREPEND "--toprope-expect=")
    set(depfile)
    if(depfile_supported)
      set(depfile DEPFILE "${stamp}.d")
    endif()
    add_custom_command(
      OUTPUT "${stamp}"
      BYPRODUCTS ${headers}
      COMMAND "${CMAKE_ASC_COMPILER}" ${ASCENDC_ARCH_FLAG} "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "${options}" -x asc
              "--toprope-launch-headers=${header_dir}" ${names} -MD -MT "${stamp}" -MF "${stamp}.d" "${source}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}"
      DEPENDS "${source}" "${CMAKE_ASC_COMPILER}" ${depfile}
      COMMENT "Launch headers of ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND stamps "${stamp}")
  endforeach()

  add_library(${target} ${type} ${sources} ${stamps})
  set_source_files_properties(${sources} PROPERTIES LANGUAGE ASC)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE ASC POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE ${ASCENDC_ARCH_FLAG} --toprope-launch-functions)
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${header_dir}>" "${ASCENDC_PREFIX}/include")
  target_link_libraries(${target} PUBLIC host_intf_pub)
  install(TARGETS ${target} LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
  install(DIRECTORY "${header_dir}" DESTINATION include)
endfunction()

# Strips what only names the scope, and the -D that some projects write before a definition.
function(_ascendc_arguments out)
  set(arguments ${ARGN})
  list(REMOVE_ITEM arguments PRIVATE PUBLIC INTERFACE)
  set(${out} ${arguments} PARENT_SCOPE)
endfunction()

# ascendc_compile_definitions(<target> [PRIVATE] <definition>...). HAVE_WORKSPACE and HAVE_TILING say which argument
# is the workspace; no part of it is reserved for the system here, so the kernel gets it as the host passes it.
function(ascendc_compile_definitions target)
  _ascendc_arguments(definitions ${ARGN})
  target_compile_definitions(${target} PRIVATE ${definitions})
endfunction()

# ascendc_compile_options(<target> PRIVATE <option>... [-forward-options-to-host-compiler <option>...]): host and device
# code are compiled in one step here, so both kinds reach it.
function(ascendc_compile_options target)
  _ascendc_arguments(options ${ARGN})
  list(REMOVE_ITEM options -forward-options-to-host-compiler)
  target_compile_options(${target} PRIVATE ${options})
endfunction()

# ascendc_include_directories(<target> [PRIVATE] <directory>...)
function(ascendc_include_directories target)
  _ascendc_arguments(directories ${ARGN})
  target_include_directories(${target} PRIVATE ${directories})
endfunction()
