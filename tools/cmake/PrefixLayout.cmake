# The Ascend prefix: where each thing lies in the build tree's `ascend/` and under the install prefix. A wheel carries no
# symbolic links, so a library that must answer to several names is built under each.
set(TOPROPE_BUILD_PREFIX ${CMAKE_BINARY_DIR}/ascend)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${TOPROPE_BUILD_PREFIX}/lib64)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

# One entry of the build tree's prefix that is a source directory.
function(toprope_link_into_prefix source destination)
  get_filename_component(parent ${TOPROPE_BUILD_PREFIX}/${destination} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${source} ${TOPROPE_BUILD_PREFIX}/${destination} SYMBOLIC)
endfunction()

# Installs a library (lib64/) or a command (bin/), each finding its neighbours by $ORIGIN.
function(toprope_install target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TOPROPE_BUILD_PREFIX}/bin
                                               INSTALL_RPATH "$ORIGIN/../lib64")
    install(TARGETS ${target} RUNTIME DESTINATION bin)
  else()
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
    install(TARGETS ${target} LIBRARY DESTINATION lib64)
  endif()
endfunction()

# Empty libraries under CANN's other names: programs link them, and find every symbol in `target` behind them.
function(toprope_add_alias_libraries target)
  set(source ${CMAKE_BINARY_DIR}/generated/empty.c)
  file(CONFIGURE OUTPUT ${source} CONTENT "/* Everything this library offers is in the one it links. */\n")
  foreach(name IN LISTS ARGN)
    add_library(${name} SHARED ${source})
    target_link_libraries(${name} PRIVATE ${target})
    # The dependency must be recorded although the empty source uses none of it.
    target_link_options(${name} PRIVATE LINKER:--no-as-needed)
    toprope_install(${name})
  endforeach()
endfunction()

# Names that programs link instead of `target` and not beside it: the linker then looks for the symbols in the named library
# itself, where an empty one that depends on `target` has none. Nothing loads these names when it runs.
function(toprope_add_linker_names target)
  foreach(name IN LISTS ARGN)
    set(script ${CMAKE_BINARY_DIR}/generated/lib${name}.so)
    file(CONFIGURE OUTPUT ${script} CONTENT "/* The linker reads this: everything is in lib${target}.so. */\nINPUT ( lib${target}.so )\n")
    install(FILES ${script} DESTINATION lib64)
    toprope_link_into_prefix(${script} lib64/lib${name}.so)
  endforeach()
endfunction()

install(DIRECTORY include/ DESTINATION include)
toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/include include)

# cmake/ASC is find_package(ASC) and the language; CMake looks for it in lib/, never in lib64/, before project().
if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/ASC)
  install(DIRECTORY cmake/ASC/ DESTINATION lib/cmake/ASC)
  toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/cmake/ASC lib/cmake/ASC)
endif()
if(EXISTS ${PROJECT_SOURCE_DIR}/cmake/ascendc_kernel_cmake)
  install(DIRECTORY cmake/ascendc_kernel_cmake/ DESTINATION tools/tikcpp/ascendc_kernel_cmake)
  toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/cmake/ascendc_kernel_cmake tools/tikcpp/ascendc_kernel_cmake)
endif()

# find_package(tikicpulib), with a target for each chip of spec/soc.tsv.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/spec/soc.tsv)
file(STRINGS ${PROJECT_SOURCE_DIR}/spec/soc.tsv TOPROPE_CHIPS REGEX "^Ascend")
list(TRANSFORM TOPROPE_CHIPS REPLACE "^([^\t]+)\tdav-([0-9]+)\t.*" "\\1=\\2")
string(JOIN " " TOPROPE_CHIPS ${TOPROPE_CHIPS})
configure_file(cmake/tikicpulib/tikicpulibConfig.cmake.in
               ${CMAKE_BINARY_DIR}/generated/tikicpulib/tikicpulibConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/tikicpulib/tikicpulibConfig.cmake DESTINATION lib/cmake/tikicpulib)
toprope_link_into_prefix(${CMAKE_BINARY_DIR}/generated/tikicpulib lib/cmake/tikicpulib)

# gdb loads NAME-gdb.py with the library NAME, from directories that its user trusts.
install(FILES python/toprope/gdb_printers.py DESTINATION lib64 RENAME libtoprope.so-gdb.py)
toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/python/toprope/gdb_printers.py lib64/libtoprope.so-gdb.py)

install(FILES tools/set_env.sh DESTINATION .)
toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/tools/set_env.sh set_env.sh)
install(FILES tools/setenv.bash DESTINATION bin)
toprope_link_into_prefix(${PROJECT_SOURCE_DIR}/tools/setenv.bash bin/setenv.bash)

# torch_npu refuses to start without opp, compiler and runtime, and set_env.sh names the last. A wheel drops empty
# directories, hence the note in each.
foreach(directory IN ITEMS opp compiler runtime python/site-packages)
  set(note ${CMAKE_BINARY_DIR}/generated/${directory}/README)
  file(CONFIGURE OUTPUT ${note} CONTENT "Toprope keeps nothing here; programs written for CANN check that @directory@/ exists.\n"
       @ONLY)
  install(FILES ${note} DESTINATION ${directory})
  toprope_link_into_prefix(${CMAKE_BINARY_DIR}/generated/${directory} ${directory})
endforeach()

# User CMake files and scripts that look under ascend-toolkit/latest find the same trees there; the links are made by
# `toprope env`, set_env.sh and `make run`, since a wheel cannot carry them.
toprope_link_into_prefix(${TOPROPE_BUILD_PREFIX} ascend-toolkit/latest)

if(TOPROPE_BUNDLED_HWY)
  install(FILES ${TOPROPE_BUNDLED_HWY} DESTINATION lib64 RENAME libhwy.so.1)
endif()
