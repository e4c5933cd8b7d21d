// The benchmarks' kernels as torch operators, written as a user would: current stream, an output allocated or
// given.
#include <ATen/ATen.h>
#include <torch/library.h>

#include "torch_npu/csrc/core/npu/NPUStream.h"

extern "C" {
void add_f32(uint32_t, void*, uint8_t*, uint8_t*, uint8_t*, uint64_t, uint32_t);
void add_f16(uint32_t, void*, uint8_t*, uint8_t*, uint8_t*, uint64_t, uint32_t);
void repeat_f32(void*, uint32_t, uint32_t, uint32_t);
void repeat_f16(void*, uint32_t, uint32_t, uint32_t);
}

namespace {

uint8_t* bytes(const at::Tensor& t) { return static_cast<uint8_t*>(t.data_ptr()); }

at::Tensor& add_out(const at::Tensor& x, const at::Tensor& y, int64_t blocks, int64_t tile, at::Tensor& z) {
  auto* launch = x.scalar_type() == at::kHalf ? add_f16 : add_f32;
  launch(static_cast<uint32_t>(blocks), c10_npu::getCurrentNPUStream(x.get_device()).stream(), bytes(x),
         bytes(y), bytes(z), static_cast<uint64_t>(x.numel()), static_cast<uint32_t>(tile));
  return z;
}

at::Tensor add(const at::Tensor& x, const at::Tensor& y, int64_t blocks, int64_t tile) {
  at::Tensor z = at::empty_like(x);
  return add_out(x, y, blocks, tile, z);
}

/// `like` chooses the element type and the device.
void repeat(const at::Tensor& like, int64_t instruction, int64_t n, int64_t times) {
  auto* launch = like.scalar_type() == at::kHalf ? repeat_f16 : repeat_f32;
  launch(c10_npu::getCurrentNPUStream(like.get_device()).stream(), static_cast<uint32_t>(instruction),
         static_cast<uint32_t>(n), static_cast<uint32_t>(times));
}

}  // namespace

TORCH_LIBRARY(toprope_bench, m) {
  m.def("add(Tensor x, Tensor y, int blocks, int tile) -> Tensor");
  m.def("add.out(Tensor x, Tensor y, int blocks, int tile, *, Tensor(a!) out) -> Tensor(a!)");
  m.def("repeat(Tensor like, int instruction, int n, int times) -> ()");
}

TORCH_LIBRARY_IMPL(toprope_bench, PrivateUse1, m) {
  m.impl("add", add);
  m.impl("add.out", add_out);
  m.impl("repeat", repeat);
}
