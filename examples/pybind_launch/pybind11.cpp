// The Python module add_custom: run_add_custom(x, y) launches the kernel on the current NPU stream.
#include <pybind11/pybind11.h>
#include <torch/extension.h>

#include "aclrtlaunch_add_custom.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace my_add {
at::Tensor run_add_custom(const at::Tensor& x, const at::Tensor& y) {
  auto acl_stream = c10_npu::getCurrentNPUStream().stream(false);
  at::Tensor z = at::empty_like(x);
  uint32_t blockDim = 8;
  uint32_t totalLength = 1;
  for (uint32_t size : x.sizes()) {
    totalLength *= size;
  }
  ACLRT_LAUNCH_KERNEL(add_custom)
  (blockDim, acl_stream, const_cast<void*>(x.storage().data()), const_cast<void*>(y.storage().data()),
   const_cast<void*>(z.storage().data()), totalLength);
  return z;
}
}  // namespace my_add

PYBIND11_MODULE(add_custom, m) {
  m.doc() = "add_custom pybind11 interfaces";
  m.def("run_add_custom", &my_add::run_add_custom, "z = x + y for half tensors of [8, 2048]");
}
