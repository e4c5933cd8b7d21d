# What a wheel needs beside the prefix: the facts of this build, which `toprope doctor` compares with the machine, and the
# .pth files, which must lie directly in site-packages.
set(torch_version "")
if(TARGET toprope_torch)
  file(STRINGS ${TOPROPE_TORCH_DIR}/version.py torch_version REGEX "^__version__")
  string(REGEX REPLACE ".*'([^']*)'.*" "\\1" torch_version "${torch_version}")
endif()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/build_info.json @ONLY CONTENT
"{\"version\": \"@PROJECT_VERSION@\", \"torch\": \"@torch_version@\", \"compiler\": \"@CMAKE_CXX_COMPILER_ID@ @CMAKE_CXX_COMPILER_VERSION@\"}
")
install(FILES ${CMAKE_BINARY_DIR}/generated/build_info.json DESTINATION .)

if(SKBUILD)
  file(GLOB path_files CONFIGURE_DEPENDS python/*.pth python/toprope/*.pth)
  install(FILES ${path_files} DESTINATION ${SKBUILD_PLATLIB_DIR})
endif()
