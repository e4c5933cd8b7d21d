# tests/<directory>/**/*_test.cpp becomes one executable, <directory>_test, whose cases ctest knows one by one.
find_package(GTest REQUIRED)
include(GoogleTest)

# `toprope_tests` builds them all; within a wheel's build they wait for that, so that `make run` compiles no test.
add_custom_target(toprope_tests)

file(GLOB test_directories CONFIGURE_DEPENDS tests/*)
foreach(directory IN LISTS test_directories)
  get_filename_component(name ${directory} NAME)
  if(EXISTS ${directory}/CMakeLists.txt)
    add_subdirectory(${directory})
    continue()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${directory}/*_test.cpp)
  if(NOT sources)
    continue()
  endif()
  add_executable(${name}_test ${sources})
  target_include_directories(${name}_test PRIVATE src include include/ascendc tests)
  # Reports name source lines; a tail call would leave none. What is tested is in the library, which is built at -O3: the
  # tests' own code at -O1 compiles in half the time.
  target_compile_options(${name}_test PRIVATE -g -fno-optimize-sibling-calls)
  if(NOT TOPROPE_SANITIZE)
    target_compile_options(${name}_test PRIVATE -O1)
  endif()
  target_link_libraries(${name}_test PRIVATE GTest::gtest_main)
  # A layer's tests link that layer and what is below it, nothing above.
  if(name MATCHES "^(base|machine|isa|lib|check|trace)$")
    set(libraries toprope)
  elseif(name STREQUAL "driver")
    set(libraries toprope_driver)
  elseif(TARGET ${name} AND NOT name STREQUAL "runtime")
    set(libraries toprope ascendcl ${name})
  else()
    set(libraries toprope ascendcl)
  endif()
  # Tests choose how many workers run a launch (omp_set_num_threads).
  target_link_libraries(${name}_test PRIVATE ${libraries} ${OpenMP_CXX_LIBRARIES})
  target_compile_definitions(${name}_test PRIVATE TOPROPE_TEST_PREFIX="${TOPROPE_BUILD_PREFIX}"
                                                  TOPROPE_TEST_DATA="${directory}")
  add_dependencies(toprope_tests ${name}_test)
  if(SKBUILD)
    set_target_properties(${name}_test PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  set_target_properties(${name}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name}_test TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 120)
endforeach()
