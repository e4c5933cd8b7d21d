// Results of CPU kernels that run for an npu tensor live in npu memory from the start: while a
// DeviceMemoryScope is open on a thread, torch's CPU allocator hands out blocks of torch_npu's caching
// allocator. So memory statistics, limits, record_stream and the checks on kernel operands see them, and
// large results reuse cached blocks.
#pragma once
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

namespace toprope::torch_side {

/// Puts the redirecting allocator in front of torch's CPU allocator. Once, after torch_npu has been imported.
void install_device_memory();

class DeviceMemoryScope {
 public:
  explicit DeviceMemoryScope(c10::Device device);
  ~DeviceMemoryScope();
  DeviceMemoryScope(const DeviceMemoryScope&) = delete;
  DeviceMemoryScope& operator=(const DeviceMemoryScope&) = delete;

 private:
  c10::Device before_;
};

/// Whether `block` came from npu memory through a scope (an empty block counts: it owns nothing).
bool is_device_block(const at::DataPtr& block);

/// The same block with `device` as its device; it keeps its owner.
at::DataPtr on_device(at::DataPtr block, c10::Device device);

/// torch_npu's allocator.
c10::Allocator* npu_allocator();

}  // namespace toprope::torch_side
