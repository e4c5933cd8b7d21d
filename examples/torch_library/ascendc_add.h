// The wrapper around the kernel; both bindings of it are built from this file.
#pragma once
#include <ATen/ATen.h>

#include "torch_npu/csrc/core/npu/NPUGuard.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"
#include "torch_npu/csrc/framework/FormatHelper.h"

extern "C" void add_custom_impl(uint32_t, void*, uint8_t*, uint8_t*, uint8_t*, uint32_t);

/// x + y for float32 tensors of [8, 2048] on one NPU, contiguous and in ND format, without gradient.
inline at::Tensor ascendc_add(const at::Tensor& x, const at::Tensor& y) {
  TORCH_CHECK(x.device().type() == c10::DeviceType::PrivateUse1, "NPU tensor required");
  TORCH_CHECK(x.device() == y.device(), "device mismatch");
  TORCH_CHECK(x.scalar_type() == at::kFloat && y.scalar_type() == at::kFloat, "float32 required");
  TORCH_CHECK(x.dim() == 2 && x.size(0) == 8 && x.size(1) == 2048, "fixed shape [8, 2048] required");
  TORCH_CHECK(x.sizes() == y.sizes(), "shape mismatch");
  TORCH_CHECK(x.is_contiguous() && y.is_contiguous(), "contiguous tensors required");
  TORCH_CHECK(!x.requires_grad() && !y.requires_grad(), "inference-only example: backward is not registered");

  c10_npu::NPUGuard guard(x.device());
  TORCH_CHECK(at_npu::native::FormatHelper::GetFormat(x) == ACL_FORMAT_ND &&
                  at_npu::native::FormatHelper::GetFormat(y) == ACL_FORMAT_ND,
              "ND storage format required");
  auto stream = c10_npu::getCurrentNPUStream(x.get_device()).stream();
  at::Tensor z = at::empty(x.sizes(), x.options());
  TORCH_CHECK(at_npu::native::FormatHelper::GetFormat(z) == ACL_FORMAT_ND, "ND output required");
  const uint32_t totalLength = static_cast<uint32_t>(x.numel());

  add_custom_impl(8, stream, reinterpret_cast<uint8_t*>(x.data_ptr<float>()),
                  reinterpret_cast<uint8_t*>(y.data_ptr<float>()),
                  reinterpret_cast<uint8_t*>(z.data_ptr<float>()), totalLength);
  return z;
}
