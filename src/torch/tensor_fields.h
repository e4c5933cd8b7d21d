// Reading and writing the fields of a TensorImpl that torch protects. An npu tensor becomes a CPU tensor over
// the same bytes, and back, by its key set, device and storage alone; torch offers no public way to change
// them.
#pragma once
#include <c10/core/DispatchKeySet.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>

#include <optional>

namespace toprope::torch_side {

class TensorFields : c10::TensorImpl {
 public:
  static c10::DispatchKeySet& keys(c10::TensorImpl* impl) { return impl->*(&TensorFields::key_set_); }
  static std::optional<c10::Device>& device(c10::TensorImpl* impl) {
    return impl->*(&TensorFields::device_opt_);
  }
  static c10::Storage& storage(c10::TensorImpl* impl) { return impl->*(&TensorFields::storage_); }
};

}  // namespace toprope::torch_side
