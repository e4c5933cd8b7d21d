# Operators as a library that a program links: the host code, the aclnn interface and the kernels' bytes in one file, with
# a CMake package that finds it.
function(_npu_op_link_package package libraries products)
  _npu_op_get("${package}_TYPE" type)
  _npu_op_get("${package}_INSTALL_PATH" install_path)
  _npu_op_get("${package}_AUTOGEN" autogens)
  set(source "${CMAKE_BINARY_DIR}/npu_op/${package}/kernels.cpp")
  set(files "${products}")
  list(TRANSFORM files REPLACE "^[^|]*[|]" "")

  set(text "// Made by npu_op_package: the kernels of ${package}.\n#include \"toprope/operators/call.h\"\n")
  set(number 0)
  foreach(product IN LISTS products)
    string(REGEX MATCH "^([^|]*)[|](.*)$" matched "${product}")
    set(unit "${CMAKE_MATCH_1}")
    set(file "${CMAKE_MATCH_2}")
    get_filename_component(stem "${file}" NAME_WLE)
    string(APPEND text
           "asm(\".section .rodata\\n.balign 16\\n.Lkernel_${number}:\\n.incbin \\\"${file}\\\"\\n.Lkernel_${number}_end:\\n\"\n"
           "    \".section .data.rel.ro,\\\"aw\\\"\\n.balign 8\\n.hidden toprope_${package}_kernel_${number}\\n.globl toprope_${package}_kernel_${number}\\n\"\n"
           "    \"toprope_${package}_kernel_${number}: .quad .Lkernel_${number}, .Lkernel_${number}_end\\n.text\\n\");\n"
           "extern \"C\" __attribute__((visibility(\"hidden\"))) const char *const toprope_${package}_kernel_${number}[2];\n"
           "[[maybe_unused]] static const int kernel_${number}_is_known = toprope_embed_kernel(\n"
           "    \"${unit}/${stem}\", toprope_${package}_kernel_${number}[0],\n"
           "    static_cast<size_t>(toprope_${package}_kernel_${number}[1] - toprope_${package}_kernel_${number}[0]));\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE "${source}.in" "${text}")
  add_custom_command(OUTPUT "${source}" COMMAND "${CMAKE_COMMAND}" -E copy "${source}.in" "${source}"
                     DEPENDS "${source}.in" ${files} VERBATIM)
  foreach(library IN LISTS libraries)
    _npu_op_get("LIBRARY_${library}" kind)
    # A graph engine's library would define the operators once more.
    if(kind MATCHES "^(TILING|ACLNN)$")
      target_sources(${package} PRIVATE $<TARGET_OBJECTS:${library}>)
    elseif(kind STREQUAL "DEVICE_TILING")
      message(FATAL_ERROR "npu_op_device_tiling_library(${library}): only packages of TYPE RUN have device tiling libraries")
    endif()
  endforeach()
  target_include_directories(${package} SYSTEM PRIVATE "${NPU_OP_PREFIX}/include")
  target_compile_features(${package} PRIVATE cxx_std_17)
  target_link_directories(${package} PRIVATE "${NPU_OP_PREFIX}/lib64")
  target_link_libraries(${package} PRIVATE nnopbase platform ascendcl)

  set(headers)
  foreach(autogen IN LISTS autogens)
    file(GLOB more "${autogen}/aclnn_*.h")
    list(APPEND headers ${more} "${autogen}/op_proto.h")
  endforeach()
  set(NPU_OP_NAME "${package}")
  if(type STREQUAL "STATIC")
    set(NPU_OP_KIND static)
    set(NPU_OP_LINK "-Wl,--whole-archive;\${_npu_op_root}/lib/lib${package}.a;-Wl,--no-whole-archive")
  else()
    set(NPU_OP_KIND shared)
    get_target_property(output ${package} OUTPUT_NAME)
    set(NPU_OP_LINK "\${_npu_op_root}/lib/lib${output}.so")
  endif()
  set(work "${CMAKE_BINARY_DIR}/npu_op/${package}")
  configure_file("${NPU_OP_TEMPLATES}/operator_package_targets.cmake.in" "${work}/${package}-targets.cmake" @ONLY)
  file(WRITE "${work}/${package}-config.cmake"
       "# Operators of ${package}: the target ${package}::${package}.\ninclude(\"\${CMAKE_CURRENT_LIST_DIR}/${package}-targets.cmake\")\n")
  install(TARGETS ${package} LIBRARY DESTINATION "${install_path}/lib" ARCHIVE DESTINATION "${install_path}/lib")
  install(FILES ${headers} DESTINATION "${install_path}/include")
  install(FILES "${work}/${package}-config.cmake" "${work}/${package}-targets.cmake"
          DESTINATION "${install_path}/lib/cmake/${package}")
endfunction()
