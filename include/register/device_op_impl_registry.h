// DEVICE_IMPL_OP_OPTILING: a tiling function that may also run on the device (tiling sink). Here tiling runs
// on the host always, so the name only keeps the function. Source: Ascend C API, DEVICE_IMPL_OP_OPTILING.
#pragma once
#include "register/op_impl_registry.h"

namespace optiling {

using SinkTilingFunc = ge::graphStatus (*)(gert::TilingContext*);

class DeviceOpImplRegister {
 public:
  explicit DeviceOpImplRegister(const char* opType) : type_(opType) {}
  DeviceOpImplRegister& Tiling(SinkTilingFunc func) {
    tiling_ = func;
    return *this;
  }
  const char* type() const { return type_; }
  SinkTilingFunc tiling() const { return tiling_; }

 private:
  const char* type_;
  SinkTilingFunc tiling_ = nullptr;
};

}  // namespace optiling

#define DEVICE_IMPL_OP_OPTILING(optype)                                             \
  [[maybe_unused]] static ::optiling::DeviceOpImplRegister optype##_device_tiling = \
      ::optiling::DeviceOpImplRegister(#optype)
