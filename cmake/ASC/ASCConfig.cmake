# find_package(ASC) before project(): makes the language ASC (Ascend C, compiled by bisheng) known, so that
# project(x LANGUAGES ASC CXX) and enable_language(ASC) work.
#
# Read when the language is enabled; set them before find_package(ASC) or with -D:
#   CMAKE_ASC_ARCHITECTURES  dav-2201 (default) or dav-3510
#   CMAKE_ASC_RUN_MODE       npu (default), cpu or sim; all of them run here, cpu defines ASCENDC_CPU_DEBUG
#   CMAKE_ASC_STANDARD       17 (default) or later
#   CMAKE_ASC_ENABLE_SIMT    ON passes --enable-simt
#   CMAKE_ASC_COMPILER       another bisheng
#   CMAKE_ASC_SOURCE_FILE_EXTENSIONS, CMAKE_ASC_FLAGS, CMAKE_ASC_FLAGS_<CONFIG>, CMAKE_ASC_COMPILER_LAUNCHER,
#   CMAKE_ASC_LINKER_LAUNCHER, CMAKE_ASC_COMPILER_AR, CMAKE_ASC_COMPILER_LINKER
get_filename_component(ASC_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT "${CMAKE_CURRENT_LIST_DIR}" IN_LIST CMAKE_MODULE_PATH)
  list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
endif()
if(NOT CMAKE_ASC_COMPILER)
  set(CMAKE_ASC_COMPILER "${ASC_PREFIX}/bin/bisheng")
endif()
if(NOT EXISTS "${CMAKE_ASC_COMPILER}")
  set(ASC_FOUND FALSE)
  set(ASC_NOT_FOUND_MESSAGE "CMAKE_ASC_COMPILER is ${CMAKE_ASC_COMPILER}, which does not exist")
  if(ASC_FIND_REQUIRED)
    message(FATAL_ERROR "ASC: ${ASC_NOT_FOUND_MESSAGE}")
  endif()
  return()
endif()

if(NOT DEFINED CMAKE_ASC_ARCHITECTURES OR CMAKE_ASC_ARCHITECTURES STREQUAL "")
  set(CMAKE_ASC_ARCHITECTURES "dav-2201")
endif()
if(NOT DEFINED CMAKE_ASC_RUN_MODE OR CMAKE_ASC_RUN_MODE STREQUAL "")
  set(CMAKE_ASC_RUN_MODE "npu")
elseif(NOT CMAKE_ASC_RUN_MODE MATCHES "^(npu|cpu|sim)$")
  message(FATAL_ERROR "CMAKE_ASC_RUN_MODE is ${CMAKE_ASC_RUN_MODE}; it takes npu, cpu or sim")
endif()
if(NOT DEFINED CMAKE_ASC_STANDARD OR CMAKE_ASC_STANDARD STREQUAL "")
  set(CMAKE_ASC_STANDARD 17)
elseif(CMAKE_ASC_STANDARD LESS 17 OR CMAKE_ASC_STANDARD GREATER 90)
  message(WARNING "CMAKE_ASC_STANDARD is ${CMAKE_ASC_STANDARD}; Ascend C needs 17 or later, 17 is used")
  set(CMAKE_ASC_STANDARD 17)
endif()
set(ASC_FOUND TRUE)

# The functions of operator packages.
include("${CMAKE_CURRENT_LIST_DIR}/OperatorPackage.cmake")
