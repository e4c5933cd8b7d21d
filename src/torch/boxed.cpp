#include "torch/boxed.h"

#include <ATen/Context.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "torch/alias.h"
#include "torch/arguments.h"
#include "torch/device_memory.h"
#include "torch/random.h"
#include "torch/stream_order.h"

namespace toprope::torch_side {
namespace {

using torch::jit::Stack;

template <class Visit>
void each_tensor(const c10::IValue& value, Visit visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorList()) visit(tensor);
  } else if (value.isOptionalTensorList()) {
    for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorList()) {
      if (tensor) visit(*tensor);
    }
  }
}

// A factory names its device; without an index it means the current one. The first use may be the first of
// the device.
std::optional<c10::Device> named_npu(const c10::IValue& value) {
  if (!value.isDevice() || value.toDevice().type() != c10::kPrivateUse1) return std::nullopt;
  at::globalContext().lazyInitDevice(c10::kPrivateUse1);
  const c10::Device device = value.toDevice();
  if (device.has_index()) return device;
  return c10::impl::VirtualGuardImpl(c10::kPrivateUse1).getDevice();
}

c10::IValue aliased(const c10::IValue& value, bool written, Aliases& aliases) {
  auto alias = [&](const at::Tensor& tensor) {
    return is_npu(tensor) ? aliases.of(tensor, written) : tensor;
  };
  if (value.isTensor()) return alias(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    list.reserve(value.toTensorList().size());
    for (const at::Tensor& tensor : value.toTensorList()) list.push_back(alias(tensor));
    return list;
  }
  c10::List<std::optional<at::Tensor>> list;
  list.reserve(value.toOptionalTensorList().size());
  for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorList()) {
    list.push_back(tensor ? std::optional<at::Tensor>(alias(*tensor)) : std::nullopt);
  }
  return list;
}

void return_to_npu(c10::IValue& value, Aliases& aliases, c10::Device device) {
  if (value.isTensor()) {
    // Moved out first: a result that the stack also holds could not be relabelled in place.
    at::Tensor tensor = std::move(value).toTensor();
    value = aliases.npu_of(std::move(tensor), device);
  } else if (value.isTensorList()) {
    c10::List<at::Tensor> list;
    for (at::Tensor& tensor : std::move(value).toTensorVector()) {
      list.push_back(aliases.npu_of(std::move(tensor), device));
    }
    value = std::move(list);
  }
}

}  // namespace

BoxedKernel::BoxedKernel(const c10::OperatorHandle& op, std::optional<c10::SafeKernelFunction> formatted)
    : returns_(op.schema().returns().size()),
      mutates_(op.schema().is_mutable()),
      formatted_(std::move(formatted)) {
  bool takes_generator = false;
  for (const c10::Argument& argument : op.schema().arguments()) {
    const bool generator = argument.name() == "generator";
    takes_generator |= generator;
    arguments_.push_back({argument.alias_info() != nullptr && argument.alias_info()->isWrite(),
                          may_stay_on_cpu(argument.name()), generator});
  }
  draws_default_ = !takes_generator && op.hasTag(at::Tag::nondeterministic_seeded);
}

void BoxedKernel::operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, Stack* stack) {
  const size_t count = arguments_.size();
  c10::IValue* const first = stack->data() + (stack->size() - count);

  DeviceCheck devices;
  std::optional<c10::Device> device;
  bool formatted = false;
  bool leaves_npu = false;  // ones_like(npu, device='cpu'): the result stays where it is asked for
  for (size_t i = 0; i < count; ++i) {
    each_tensor(first[i], [&](const at::Tensor& tensor) {
      devices.see(tensor, arguments_[i].cpu_allowed, i);
      formatted |= formatted_ && is_npu(tensor) && has_internal_format(tensor);
    });
    if (auto named = named_npu(first[i])) {
      device = named;
    } else {
      leaves_npu |= first[i].isDevice();
    }
  }
  devices.require(op);
  if (C10_UNLIKELY(formatted)) return formatted_->callBoxed(op, keys, stack);
  if (!device) device = devices.npu();
  if (device) in_stream_order(*device);

  Aliases aliases;
  for (size_t i = 0; i < count; ++i) {
    c10::IValue& value = first[i];
    if (value.isTensor() || value.isTensorList() || value.isOptionalTensorList()) {
      value = aliased(value, arguments_[i].written, aliases);
    } else if (value.isDevice() && value.toDevice().type() == c10::kPrivateUse1) {
      value = c10::Device(c10::kCPU);
    } else if (arguments_[i].generator && device) {
      if (value.isNone()) {
        value = cpu_generator(default_generator(*device));
      } else if (value.toGenerator().device().type() == c10::kPrivateUse1) {
        value = cpu_generator(value.toGenerator());
      }
    }
  }
  {
    std::optional<SeededDefault> seeded;
    if (draws_default_ && device) seeded.emplace(*device);
    const DeviceMemoryScope memory(device && !leaves_npu ? *device : c10::Device(c10::kCPU));
    const at::AutoDispatchBelowADInplaceOrView below;
    op.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), stack);
  }
  if (!device) return;
  if (mutates_) aliases.write_back();
  if (leaves_npu) return;
  for (size_t i = stack->size() - returns_; i < stack->size(); ++i) {
    return_to_npu((*stack)[i], aliases, *device);
  }
}

}  // namespace toprope::torch_side
