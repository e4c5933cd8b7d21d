# First step of enable_language(ASC): which compiler. CMake reads the file made here on every later run.
if(NOT CMAKE_ASC_COMPILER)
  get_filename_component(prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  set(CMAKE_ASC_COMPILER "${prefix}/bin/bisheng")
endif()
if(NOT EXISTS "${CMAKE_ASC_COMPILER}")
  message(FATAL_ERROR "The Ascend C compiler ${CMAKE_ASC_COMPILER} does not exist; CMAKE_ASC_COMPILER names it")
endif()
set(CMAKE_ASC_COMPILER_ENV_VAR "ASC")

if(NOT CMAKE_ASC_SOURCE_FILE_EXTENSIONS)
  set(CMAKE_ASC_SOURCE_FILE_EXTENSIONS asc)
endif()
if(CMAKE_ASC_COMPILER_AR)
  set(CMAKE_ASC_AR_TO_USE "${CMAKE_ASC_COMPILER_AR}")
else()
  find_program(CMAKE_AR NAMES ar REQUIRED)
  find_program(CMAKE_RANLIB NAMES ranlib)
  set(CMAKE_ASC_AR_TO_USE "${CMAKE_AR}")
endif()

# Where another language links a target with Ascend C objects in it, these must follow.
get_filename_component(ASC_LIBRARY_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../lib64" ABSOLUTE)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in"
               "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)
