// What the override registers with PyTorch's dispatcher, in the order in which it is done.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>

namespace toprope::torch_side {

/// Adds one kernel for good: it is never taken away, so nothing depends on the order in which a process ends.
void add_kernel(const c10::OperatorHandle& op, c10::DispatchKey key, c10::KernelFunction kernel);

/// copy_ and _to_copy, which cross devices.
void register_copies();

/// The short kernels of unboxed.h. Over the boxed ones.
void register_hot_operators();

}  // namespace toprope::torch_side
