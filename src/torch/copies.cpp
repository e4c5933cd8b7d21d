// Copies between tensors. Plain copies between host and npu stay torch_npu's (a memcpy in stream order,
// pinned or not); everything else (another dtype, strides, broadcasting, npu to npu) is PyTorch's CPU copy
// over the same bytes.
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/copy_ops.h>

#include <optional>

#include "torch/alias.h"
#include "torch/registrations.h"
#include "torch/stream_order.h"

namespace toprope::torch_side {
namespace {

using c10::DispatchKey;

// PyTorch's device-neutral kernel of an operator: what a backend without kernels of its own would get.
c10::SafeKernelFunction neutral_kernel(const c10::OperatorHandle& op) {
  return op.getComputedKernelForDispatchKey(DispatchKey::HPU);
}

bool plain_transfer(const at::Tensor& to, const at::Tensor& from) {
  return to.scalar_type() == from.scalar_type() && to.sizes() == from.sizes() && to.is_contiguous() &&
         from.is_contiguous() && to.is_conj() == from.is_conj() && to.is_neg() == from.is_neg();
}

bool strided_cpu(const at::Tensor& tensor) { return tensor.is_cpu() && tensor.layout() == c10::kStrided; }

class CopyKernel final : public c10::OperatorKernel {
 public:
  explicit CopyKernel(c10::SafeKernelFunction transfer) : transfer_(std::move(transfer)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const c10::IValue* args = stack->data() + (stack->size() - 3);
    const at::Tensor self = args[0].toTensor();
    const at::Tensor source = args[1].toTensor();
    const bool ours = (is_npu(self) || strided_cpu(self)) && (is_npu(source) || strided_cpu(source)) &&
                      !internal(self) && !internal(source);
    const bool both = ours && is_npu(self) && is_npu(source);
    if (!ours || (!both && plain_transfer(self, source))) return transfer_.callBoxed(op, keys, stack);

    for (const at::Tensor* tensor : {&self, &source}) {
      if (is_npu(*tensor)) in_stream_order(tensor->device());
    }
    Aliases aliases;
    at::Tensor to = is_npu(self) ? aliases.of(self, true) : self;
    const at::Tensor from = is_npu(source) ? aliases.of(source, false) : source;
    const at::AutoDispatchBelowADInplaceOrView below;
    at::_ops::copy_::redispatch(c10::DispatchKeySet(DispatchKey::CPU), to, from, args[2].toBool());
    torch::jit::drop(*stack, 3);
    torch::jit::push(*stack, self);
  }

 private:
  static bool internal(const at::Tensor& tensor) { return is_npu(tensor) && has_internal_format(tensor); }
  c10::SafeKernelFunction transfer_;
};

// _to_copy allocates on the wanted device and calls copy_. Tensors with an internal format keep torch_npu's.
class ToCopyKernel final : public c10::OperatorKernel {
 public:
  ToCopyKernel(c10::SafeKernelFunction neutral, c10::SafeKernelFunction formatted)
      : neutral_(std::move(neutral)), formatted_(std::move(formatted)) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    const at::Tensor& self = (*stack)[stack->size() - op.schema().arguments().size()].toTensor();
    const bool formatted = is_npu(self) && has_internal_format(self);
    (formatted ? formatted_ : neutral_).callBoxed(op, keys, stack);
  }

 private:
  c10::SafeKernelFunction neutral_;
  c10::SafeKernelFunction formatted_;
};

}  // namespace

void register_copies() {
  auto& dispatcher = c10::Dispatcher::singleton();
  const auto copy = dispatcher.findSchemaOrThrow("aten::copy_", "");
  add_kernel(copy, DispatchKey::PrivateUse1,
             c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<CopyKernel>(
                 copy.getComputedKernelForDispatchKey(DispatchKey::PrivateUse1))));
  const auto to_copy = dispatcher.findSchemaOrThrow("aten::_to_copy", "");
  add_kernel(
      to_copy, DispatchKey::PrivateUse1,
      c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<ToCopyKernel>(
          neutral_kernel(to_copy), to_copy.getComputedKernelForDispatchKey(DispatchKey::PrivateUse1))));
}

}  // namespace toprope::torch_side
