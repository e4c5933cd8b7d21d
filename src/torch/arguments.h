// What an operator's arguments must satisfy before a CPU kernel may run for them: one device for all, as on
// the NPU.
#pragma once
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <optional>
#include <string_view>

namespace toprope::torch_side {

/// Whether PyTorch itself lets the argument of this name stay on the CPU beside device tensors: lengths of
/// packed sequences, indices into a tensor, split points.
bool may_stay_on_cpu(std::string_view argument);

/// Adds one tensor argument to the devices seen so far. Throws c10::Error, naming the operator, the argument
/// and both devices, where it lies elsewhere than the npu arguments. A CPU tensor of no dimension is a number
/// and passes.
class DeviceCheck {
 public:
  void see(const at::Tensor& tensor, bool cpu_allowed, size_t position) {
    if (!tensor.defined()) return;
    const c10::Device device = tensor.device();
    if (C10_LIKELY(device.type() == c10::kPrivateUse1)) {
      if (!npu_) npu_ = device;
      if (C10_LIKELY(*npu_ == device)) return;
    } else if (device.type() == c10::kCPU && (tensor.dim() == 0 || cpu_allowed)) {
      return;
    }
    if (!other_) {
      other_ = device;
      position_ = position;
    }
  }

  /// Where the npu arguments lie; none when there was no npu tensor.
  std::optional<c10::Device> npu() const { return npu_; }

  void require(const c10::OperatorHandle& op) const {
    if (C10_UNLIKELY(other_ && npu_)) refuse(op);
  }

 private:
  [[noreturn]] void refuse(const c10::OperatorHandle& op) const;

  std::optional<c10::Device> npu_;
  std::optional<c10::Device> other_;
  size_t position_ = 0;
};

}  // namespace toprope::torch_side
