// The Python module ascendc_ops.
#include <torch/extension.h>

#include "ascendc_add.h"

PYBIND11_MODULE(ascendc_ops, m) {
  m.def("ascendc_add", &ascendc_add, "x + y for float32 NPU tensors of [8, 2048]");
}
