#include "torch/device_memory.h"

#include <acl/acl_rt.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceGuard.h>

#include <atomic>
#include <limits>

namespace toprope::torch_side {
namespace {

const c10::Device kNone{c10::kCPU};
thread_local c10::Device open_device = kNone;
std::atomic<c10::DeleterFnPtr> npu_deleter{nullptr};
c10::Allocator* usual = nullptr;

// raw_allocate drops the owner, so the way to free a bare pointer must be found from the pointer.
void free_raw(void* block) {
  aclrtPtrAttributes attributes{};
  const bool on_npu = aclrtPointerGetAttributes(block, &attributes) == ACL_SUCCESS &&
                      attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  (on_npu ? npu_deleter.load() : usual->raw_deleter())(block);
}

class RedirectingAllocator final : public c10::Allocator {
 public:
  at::DataPtr allocate(size_t bytes) override {
    const c10::Device device = open_device;
    if (device == kNone) return usual->allocate(bytes);
    const c10::DeviceGuard guard(device);
    at::DataPtr block = npu_allocator()->allocate(bytes);
    if (block.get() != nullptr) npu_deleter.store(block.get_deleter(), std::memory_order_relaxed);
    return on_device(std::move(block), c10::kCPU);
  }

  c10::DeleterFnPtr raw_deleter() const override {
    return usual->raw_deleter() != nullptr ? &free_raw : nullptr;
  }

  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

}  // namespace

c10::Allocator* npu_allocator() {
  static c10::Allocator* const allocator = c10::GetAllocator(c10::kPrivateUse1);
  return allocator;
}

at::DataPtr on_device(at::DataPtr block, c10::Device device) {
  block.unsafe_set_device(device);
  return block;
}

bool is_device_block(const at::DataPtr& block) {
  return block.get() == nullptr || block.get_deleter() == npu_deleter.load(std::memory_order_relaxed);
}

void install_device_memory() {
  static RedirectingAllocator redirecting;
  if (usual != nullptr) return;
  usual = c10::GetCPUAllocator();
  c10::SetCPUAllocator(&redirecting, std::numeric_limits<uint8_t>::max());
}

DeviceMemoryScope::DeviceMemoryScope(c10::Device device) : before_(open_device) { open_device = device; }
DeviceMemoryScope::~DeviceMemoryScope() { open_device = before_; }

}  // namespace toprope::torch_side
