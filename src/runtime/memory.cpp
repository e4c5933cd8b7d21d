#include "runtime/memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>

#include "base/config.h"
#include "machine/symbolize.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/stream.h"
#include "runtime/tell.h"

namespace toprope {
namespace {

constexpr size_t kAlignment = 512;  // aclrtMalloc's
constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kGuard = kAlignment;         // what lies around an allocation while somebody watches
constexpr size_t kMapFrom = size_t{1} << 20;  // from here on the operating system gives and takes pages

bool is_device_attribute(aclrtMemAttr attr) {
  switch (attr) {
    case ACL_DDR_MEM:
    case ACL_DDR_MEM_HUGE:
    case ACL_DDR_MEM_NORMAL:
    case ACL_DDR_MEM_P2P_HUGE:
    case ACL_DDR_MEM_P2P_NORMAL:
      return false;
    default:
      return true;
  }
}

aclError allocate(const char* api, void** out, size_t size, const void* site) {
  return guarded(api, [&]() -> aclError {
    if (!out) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the result pointer is null");
    if (size == 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the size is 0; it must be positive");
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    Device& device = context->device;
    if (!device.charge(size))
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api,
                  "out of memory on device {}: {} bytes asked for, {} of {} in use (TOPROPE_DEVICE_MEMORY "
                  "sets the size)",
                  device.id, size, device.memory_used.load(), device.memory_limit);
    size_t mapped = 0;
    const size_t guard = watched() ? kGuard : 0;
    auto* address = static_cast<char*>(take_memory(size + 2 * guard, mapped));
    if (!address) {
      device.discharge(size);
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api,
                  "out of memory: device {} has room for {} bytes, but the host has not", device.id, size);
    }
    address += guard;
    const auto at = reinterpret_cast<uintptr_t>(address);
    memory_registry().add({at, size, MemoryKind::Device, device.id, site, mapped, guard});
    *out = address;
    if (watched()) tell({HostEvent::Allocate, at, size, guard, api}, site);
    return ACL_SUCCESS;
  });
}

/// Why `address` cannot be freed as `kind`.
aclError refuse_free(const char* api, const void* pointer, MemoryKind kind) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (const auto block = memory_registry().find(address)) {
    if (block->base != address)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} lies {} bytes inside {}; free its first address",
                  pointer, address - block->base, describe(*block));
    static constexpr const char* cures[] = {"aclrtFree", "aclrtUnmapMem", "aclrtFreeHost",
                                            "aclrtHostUnregister"};
    const char* cure = cures[static_cast<int>(block->kind)];
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} is {}; {} frees it", pointer, describe(*block), cure);
  }
  const auto removed = memory_registry().removed(address);
  if (removed && removed->base == address && removed->kind == kind)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api,
                "double free: {} was {}, allocated at {}, and is freed already", pointer, describe(*removed),
                describe(removed->site));
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} was not allocated by this runtime{}", pointer,
              explain_address(address));
}

aclError release(const char* api, void* pointer, bool synchronise, const void* site) {
  const aclError error = guarded(api, [&]() -> aclError {
    if (!pointer) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the pointer is null");
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const auto found = memory_registry().find(address);
    if (!found || found->base != address || found->kind != MemoryKind::Device)
      return refuse_free(api, pointer, MemoryKind::Device);
    Device& device = *find_device(found->device);
    if (synchronise)
      for (auto& stream : device.live_streams()) stream->wait_for_all();
    if (watched()) tell({HostEvent::Free, address, found->size, found->guard, api}, site);
    const auto block = memory_registry().remove(address, site);
    if (!block) return refuse_free(api, pointer, MemoryKind::Device);
    device.discharge(block->size);
    if (device.pending.load()) std::memset(pointer, kPoison, block->size);
    device.when_idle([start = static_cast<char*>(pointer) - block->guard, mapped = block->mapped] {
      give_back(start, mapped);
    });
    return ACL_SUCCESS;
  });
  return pointer ? tell_refusal(HostEvent::RefusedFree, pointer, api, error, site) : error;
}

}  // namespace

void* take_memory(size_t size, size_t& mapped) {
  mapped = 0;
  if (size < kMapFrom) return std::aligned_alloc(kAlignment, (size + kAlignment - 1) & ~(kAlignment - 1));
  if (size > SIZE_MAX / 2) return nullptr;
  // Huge pages want addresses on their own boundary: map one more and cut both ends off.
  const size_t rounded = (size + kHugePage - 1) & ~(kHugePage - 1), whole = rounded + kHugePage;
  void* raw = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  const auto begin = reinterpret_cast<uintptr_t>(raw), aligned = (begin + kHugePage - 1) & ~(kHugePage - 1);
  if (aligned != begin) munmap(raw, aligned - begin);
  const size_t behind = begin + whole - (aligned + rounded);
  if (behind) munmap(reinterpret_cast<void*>(aligned + rounded), behind);
  void* address = reinterpret_cast<void*>(aligned);
  madvise(address, rounded, MADV_HUGEPAGE);
  mapped = rounded;
  return address;
}

void give_back(void* address, size_t mapped) {
  if (mapped)
    munmap(address, mapped);
  else
    std::free(address);
}

std::string explain_address(uintptr_t address) {
  if (const auto block = memory_registry().removed(address))
    return fmt::format("; it lies in {} that was allocated at {} and is freed already", describe(*block),
                       describe(block->site));
  if (const auto block = memory_registry().before(address, 1 << 20))
    return fmt::format("; it lies {} bytes behind the end of {}, allocated at {}",
                       address - (block->base + block->size), describe(*block), describe(block->site));
  return {};
}

aclError check_range(const char* api, const char* operand, const void* pointer, size_t size, Side side) {
  if (!pointer) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} is null", operand);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto block = memory_registry().find(address);
  if (!block) {
    if (side == Side::Device)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} = {} must be device memory and is not{}", operand,
                  pointer, explain_address(address));
    return ACL_SUCCESS;  // the program's own memory has no bounds that are known here
  }
  if (side == Side::Host && block->on_device())
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} = {} must be host memory and is {}", operand, pointer,
                describe(*block));
  if (side == Side::Device && block->kind == MemoryKind::Host)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} = {} must be device memory and is {}", operand, pointer,
                describe(*block));
  const size_t offset = address - block->base;
  if (size <= block->size - offset || block->kind == MemoryKind::Registered) return ACL_SUCCESS;
  if (block->kind == MemoryKind::Mapped) {
    const uintptr_t end = block->base + block->size;
    const auto next = memory_registry().find(end);
    if (next && next->kind == MemoryKind::Mapped && next->device == block->device)
      return check_range(api, operand, reinterpret_cast<const void*>(end), size - (end - address), side);
  }
  return fail(ACL_ERROR_RT_PARAM_INVALID, api,
              "{} bytes at {} = {} leave {}, allocated at {}: {} bytes are left from there", size, operand,
              pointer, describe(*block), describe(block->site), block->size - offset);
}

}  // namespace toprope

using namespace toprope;

extern "C" {

aclError aclrtMalloc(void** out, size_t size, aclrtMemMallocPolicy) {
  return allocate("aclrtMalloc", out, size, __builtin_return_address(0));
}
aclError aclrtMallocAlign32(void** out, size_t size, aclrtMemMallocPolicy) {
  return allocate("aclrtMallocAlign32", out, size, __builtin_return_address(0));
}
aclError aclrtMallocCached(void** out, size_t size, aclrtMemMallocPolicy) {
  return allocate("aclrtMallocCached", out, size, __builtin_return_address(0));
}
aclError aclrtMallocWithCfg(void** out, size_t size, aclrtMemMallocPolicy, aclrtMallocConfig*) {
  return allocate("aclrtMallocWithCfg", out, size, __builtin_return_address(0));
}

aclError aclrtFree(void* pointer) {
  return release("aclrtFree", pointer, false, __builtin_return_address(0));
}
aclError aclrtFreeWithDevSync(void* pointer) {
  return release("aclrtFreeWithDevSync", pointer, true, __builtin_return_address(0));
}

aclError aclrtMemGetAddressRange(void* pointer, void** base, size_t* size) {
  constexpr const char* api = "aclrtMemGetAddressRange";
  return guarded(api, [&]() -> aclError {
    const auto block = memory_registry().find(reinterpret_cast<uintptr_t>(pointer));
    if (!block)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} was not allocated by this runtime{}", pointer,
                  explain_address(reinterpret_cast<uintptr_t>(pointer)));
    if (base) *base = reinterpret_cast<void*>(block->base);
    if (size) *size = block->size;
    return ACL_SUCCESS;
  });
}

aclError aclrtPointerGetAttributes(const void* pointer, aclrtPtrAttributes* attributes) {
  constexpr const char* api = "aclrtPointerGetAttributes";
  if (!attributes) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "attributes is null");
  return guarded(api, [&]() -> aclError {
    *attributes = {};
    attributes->location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED;
    const auto block = memory_registry().find(reinterpret_cast<uintptr_t>(pointer));
    if (!block) return ACL_SUCCESS;
    const bool device = block->on_device();
    attributes->location.type = device ? ACL_MEM_LOCATION_TYPE_DEVICE : ACL_MEM_LOCATION_TYPE_HOST;
    attributes->location.id = device ? static_cast<uint32_t>(block->device) : 0;
    attributes->pageSize = block->mapped ? kHugePage : 4096;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  constexpr const char* api = "aclrtGetMemInfo";
  if (!free || !total) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "free or total is null");
  return guarded(api, [&]() -> aclError {
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    const Device& device = context->device;
    *total = is_device_attribute(attr) ? device.memory_limit : 0;
    *free = is_device_attribute(attr) ? device.memory_limit - device.memory_used : 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetMemUsageInfo(int32_t id, aclrtMemUsageInfo* info, size_t room, size_t* count) {
  constexpr const char* api = "aclrtGetMemUsageInfo";
  if (!info || !count || room == 0)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "a result pointer is null or inputNum is 0");
  return guarded(api, [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device(api, id);
    *info = {};
    std::strcpy(info->name, "process");
    info->curMemSize = device->memory_used;
    info->memPeakSize = device->memory_peak;
    *count = 1;
    return ACL_SUCCESS;
  });
}

}  // extern "C"
