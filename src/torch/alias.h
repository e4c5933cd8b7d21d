// Zero copy between npu and CPU tensors. An Alias set lives for one operator call: it gives every npu
// argument a CPU tensor over the same bytes (sharing what the arguments share), writes back what the kernel
// did to sizes and storage of the arguments, and turns the kernel's results into npu tensors.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/util/SmallVector.h>

#include <optional>
#include <utility>

namespace toprope::torch_side {

/// Whether `tensor` is an npu tensor with memory of its own kind (strided).
bool is_npu(const at::Tensor& tensor);

/// Whether the bytes of an npu tensor lie in a padded or permuted layout (FRACTAL_NZ, NC1HWC0, ...).
bool has_internal_format(const at::Tensor& npu);

class Aliases {
 public:
  /// `mutated` says that the operator may write to the argument.
  at::Tensor of(const at::Tensor& npu, bool mutated);

  /// After the kernel: arguments take the sizes and the storage that it gave to their aliases.
  void write_back();

  /// The npu tensor for a result: the argument itself where the kernel returned its alias, a view where it
  /// returned a view of one, otherwise a tensor that takes the result's memory over. `device` is where it
  /// belongs.
  at::Tensor npu_of(at::Tensor result, c10::Device device);

 private:
  struct Pair {
    at::Tensor npu;
    at::Tensor cpu;
    at::Tensor plain;  ///< for an argument with an internal format: its ND copy, which `cpu` lies over
    bool mutated;
  };
  struct StoragePair {
    c10::Storage npu;
    c10::Storage cpu;
  };

  c10::Storage cpu_storage(const c10::Storage& npu);
  c10::Storage npu_storage(const c10::Storage& cpu, const c10::TensorImpl* described, c10::Device device);

  c10::SmallVector<Pair, 6> tensors_;
  c10::SmallVector<StoragePair, 6> storages_;
};

}  // namespace toprope::torch_side
