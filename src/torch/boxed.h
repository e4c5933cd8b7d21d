// The kernel behind every ATen operator on npu tensors that has no faster one: arguments become CPU tensors
// over the same bytes, PyTorch's CPU kernel runs, results become npu tensors.
#pragma once
#include <ATen/core/boxing/KernelFunction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace toprope::torch_side {

class BoxedKernel final : public c10::OperatorKernel {
 public:
  /// `formatted` is torch_npu's own kernel, which runs instead where an argument has an internal format, for
  /// the operators that keep such a format (clone, copy); none for those that compute.
  BoxedKernel(const c10::OperatorHandle& op, std::optional<c10::SafeKernelFunction> formatted);

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack);

 private:
  struct Argument {
    bool written;      ///< the schema lets the kernel write to it
    bool cpu_allowed;  ///< may lie on the CPU beside npu tensors
    bool generator;
  };

  std::vector<Argument> arguments_;
  size_t returns_;
  bool mutates_;
  bool draws_default_;  ///< random, without a generator argument
  std::optional<c10::SafeKernelFunction> formatted_;
};

}  // namespace toprope::torch_side
