// The override: every ATen operator that has a CPU kernel gets a zero-copy kernel for npu tensors, in place
// of torch_npu's. Operators that torch_npu alone has (npu_*, format casts) keep its kernels, which run on
// libopapi.
#include <c10/util/Exception.h>

#include <cstdio>
#include <exception>
#include <string>
#include <unordered_set>

#include "torch/boxed.h"
#include "torch/device_memory.h"
#include "torch/registrations.h"
#include "torch/stream_order.h"

namespace toprope::torch_side {
namespace {

using c10::Dispatcher;
using c10::DispatchKey;
using c10::OperatorHandle;
using c10::OperatorName;

// torch_npu's own: they allocate, know about streams, formats and pinned memory, or only change a tensor's
// view.
const std::unordered_set<std::string>& kept() {
  static const std::unordered_set<std::string> names{"aten::empty.memory_format",
                                                     "aten::empty_strided",
                                                     "aten::empty_like",
                                                     "aten::new_empty_strided",
                                                     "aten::_copy_from",
                                                     "aten::_copy_from_and_resize",
                                                     "aten::copy_",
                                                     "aten::_to_copy",
                                                     "aten::record_stream",
                                                     "aten::is_pinned",
                                                     "aten::_pin_memory",
                                                     "aten::_local_scalar_dense",
                                                     "aten::_lazy_clone",
                                                     "aten::set_",
                                                     "aten::set_.source_Storage",
                                                     "aten::set_.source_Storage_storage_offset",
                                                     "aten::set_.source_Tensor",
                                                     "aten::resize_",
                                                     "aten::resize_as_",
                                                     "aten::view",
                                                     "aten::as_strided",
                                                     "aten::as_strided_",
                                                     "aten::_reshape_alias",
                                                     "aten::unfold",
                                                     "aten::alias",
                                                     "aten::detach",
                                                     "aten::squeeze",
                                                     "aten::squeeze.dim",
                                                     "aten::squeeze.dims",
                                                     "aten::unsqueeze",
                                                     "aten::view_as_real",
                                                     "aten::view_as_complex"};
  return names;
}

// These keep an internal format; torch_npu's kernels know how.
bool keeps_format(const std::string& name) { return name == "aten::clone" || name == "aten::contiguous"; }

// Registering over torch_npu's kernels is what is wanted here; PyTorch warns of each.
class Silence final : public c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

// PyTorch's own autograd kernel (or composite) of an operator, read where no backend has replaced it.
class PyTorchAutograd final : public c10::OperatorKernel {
 public:
  explicit PyTorchAutograd(const OperatorHandle& op)
      : kernel_(op.getComputedKernelForDispatchKey(DispatchKey::AutogradHPU)) {}
  void operator()(const OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    kernel_.callBoxed(op, keys, stack);
  }

 private:
  c10::SafeKernelFunction kernel_;
};

std::optional<OperatorHandle> aten_operator(const OperatorName& name) {
  if (name.name.rfind("aten::", 0) != 0 || kept().count(c10::toString(name)) != 0) return std::nullopt;
  auto op = Dispatcher::singleton().findOp(name);
  return op && op->hasSchema() ? op : std::nullopt;
}

class Override {
 public:
  size_t install() {
    auto& dispatcher = Dispatcher::singleton();
    // Read before anything is added: the lists below change with every registration.
    const auto on_cpu = dispatcher.getRegistrationsForDispatchKey(DispatchKey::CPU);
    const auto on_npu = dispatcher.getRegistrationsForDispatchKey(DispatchKey::PrivateUse1);
    const auto with_autograd = dispatcher.getRegistrationsForDispatchKey(DispatchKey::AutogradPrivateUse1);
    for (const OperatorName& name : on_cpu) {
      if (auto op = aten_operator(name)) run_on_cpu(*op);
    }
    for (const OperatorName& name : on_npu) {
      auto op = aten_operator(name);
      if (!op) continue;
      if (op->hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd)) {
        run_on_cpu(*op);
        differentiate_as_pytorch(*op);
      } else if (op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) ||
                 op->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutogradNonFunctional)) {
        run_on_cpu(*op);
      }
    }
    for (const OperatorName& name : with_autograd) {
      if (auto op = aten_operator(name); op && taken_.count(c10::toString(name)) != 0) {
        differentiate_as_pytorch(*op);
      }
    }
    return taken_.size();
  }

 private:
  void run_on_cpu(const OperatorHandle& op) {
    const std::string name = c10::toString(op.operator_name());
    if (!taken_.insert(name).second) return;
    std::optional<c10::SafeKernelFunction> formatted;
    if (keeps_format(name)) formatted = op.getComputedKernelForDispatchKey(DispatchKey::PrivateUse1);
    add_kernel(
        op, DispatchKey::PrivateUse1,
        c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<BoxedKernel>(op, std::move(formatted))));
  }

  void differentiate_as_pytorch(const OperatorHandle& op) {
    if (!differentiated_.insert(c10::toString(op.operator_name())).second) return;
    add_kernel(op, DispatchKey::AutogradPrivateUse1,
               c10::KernelFunction::makeFromBoxedFunctor(std::make_unique<PyTorchAutograd>(op)));
  }

  std::unordered_set<std::string> taken_;
  std::unordered_set<std::string> differentiated_;
};

}  // namespace

void add_kernel(const OperatorHandle& op, DispatchKey key, c10::KernelFunction kernel) {
  static auto* const handles = new std::vector<c10::RegistrationHandleRAII>();
  handles->push_back(Dispatcher::singleton().registerImpl(op.operator_name(), key, std::move(kernel),
                                                          std::nullopt, nullptr, "toprope"));
}

}  // namespace toprope::torch_side

/// Installs the override; torch_npu must have been imported. Returns the number of operators that run on the
/// CPU's kernels, or -1 with the reason in `message`.
extern "C" __attribute__((visibility("default"))) int64_t toprope_install_override(char* message,
                                                                                   size_t size) {
  using namespace toprope::torch_side;
  try {
    Silence silence;
    const c10::WarningUtils::WarningHandlerGuard quiet(&silence);
    install_stream_order();
    install_device_memory();
    const size_t operators = Override().install();
    register_copies();
    register_hot_operators();
    return static_cast<int64_t>(operators);
  } catch (const std::exception& error) {
    std::snprintf(message, size, "%s", error.what());
    return -1;
  }
}
