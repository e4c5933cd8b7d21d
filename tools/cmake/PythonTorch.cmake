# The target toprope_torch (headers and libraries of the torch that this Python has), without find_package(Torch): for a
# CUDA build of torch that would ask for a CUDA toolkit, which a CPU machine has not.
find_package(Python COMPONENTS Interpreter Development.Module)
if(NOT Python_Interpreter_FOUND)
  return()
endif()
execute_process(
  COMMAND ${Python_EXECUTABLE} -c
          "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '', end='')"
  OUTPUT_VARIABLE TOPROPE_TORCH_DIR)
if(NOT TOPROPE_TORCH_DIR OR NOT Python_Development.Module_FOUND)
  message(STATUS "Toprope: no torch with headers in ${Python_EXECUTABLE}: the PyTorch side is not built")
  return()
endif()
message(STATUS "Toprope: torch in ${TOPROPE_TORCH_DIR}")

add_library(toprope_torch INTERFACE)
target_include_directories(toprope_torch SYSTEM INTERFACE
  ${TOPROPE_TORCH_DIR}/include ${TOPROPE_TORCH_DIR}/include/torch/csrc/api/include)
foreach(name IN ITEMS torch torch_cpu c10)
  target_link_libraries(toprope_torch INTERFACE ${TOPROPE_TORCH_DIR}/lib/lib${name}.so)
endforeach()

# What also speaks to Python: adds libtorch_python and Python's own headers.
add_library(toprope_torch_python INTERFACE)
target_include_directories(toprope_torch_python SYSTEM INTERFACE ${Python_INCLUDE_DIRS})
target_link_libraries(toprope_torch_python INTERFACE toprope_torch ${TOPROPE_TORCH_DIR}/lib/libtorch_python.so)
