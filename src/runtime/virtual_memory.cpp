// Reserved address ranges and the device memory that is mapped into them. A physical block is a file in
// memory, so one block may be mapped at several places.
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>

#include "acl/acl_rt.h"
#include "base/memory_registry.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

namespace toprope {
namespace {

constexpr size_t kGranularity = size_t{2} << 20;

struct Physical {
  static constexpr uint32_t kMagic = 0x50485953;
  Physical(Device& d, size_t s, int f) : device(d), size(s), file(f) {}
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  ~Physical() {
    close(file);
    device.discharge(size);
  }
  Device& device;
  const size_t size;
  const int file;
};

struct Mapping {
  size_t size;
  std::shared_ptr<Physical> physical;
};

std::mutex mutex;
std::map<uintptr_t, size_t> reserved;
std::map<uintptr_t, Mapping> mapped;

/// Whether [begin, begin + size) lies in one reserved range.
bool is_reserved(uintptr_t begin, size_t size) {
  auto next = reserved.upper_bound(begin);
  if (next == reserved.begin()) return false;
  const auto& [base, length] = *std::prev(next);
  return begin - base <= length && size <= length - (begin - base);
}

/// Whether a mapping touches [begin, begin + size).
bool is_mapped(uintptr_t begin, size_t size) {
  const auto next = mapped.lower_bound(begin + size);
  return next != mapped.begin() && std::prev(next)->first + std::prev(next)->second.size > begin;
}

aclError bad_granularity(const char* api, size_t size) {
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the size {} must be a positive multiple of {}", size,
              kGranularity);
}

}  // namespace
}  // namespace toprope

using namespace toprope;

extern "C" {

aclError aclrtReserveMemAddress(void** out, size_t size, size_t alignment, void* expected, uint64_t flags) {
  constexpr const char* api = "aclrtReserveMemAddress";
  return guarded(api, [&]() -> aclError {
    if (!out) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "virPtr is null");
    if (size == 0 || size > SIZE_MAX / 2)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "size {} is not usable", size);
    if (alignment != 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "alignment {} must be 0", alignment);
    if (flags > 1) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flags {} must be 0 or 1", flags);
    const size_t whole = size + kGranularity;
    void* raw = mmap(expected, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED)
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api, "the host has no {} bytes of addresses left", size);
    const auto begin = reinterpret_cast<uintptr_t>(raw),
               aligned = (begin + kGranularity - 1) & ~(kGranularity - 1);
    const size_t kept = (size + 4095) & ~size_t{4095};
    if (aligned != begin) munmap(raw, aligned - begin);
    if (aligned + kept != begin + whole)
      munmap(reinterpret_cast<void*>(aligned + kept), begin + whole - aligned - kept);
    std::lock_guard lock(mutex);
    reserved[aligned] = size;
    *out = reinterpret_cast<void*>(aligned);
    return ACL_SUCCESS;
  });
}

aclError aclrtReleaseMemAddress(void* pointer) {
  constexpr const char* api = "aclrtReleaseMemAddress";
  return guarded(api, [&]() -> aclError {
    std::lock_guard lock(mutex);
    const auto found = reserved.find(reinterpret_cast<uintptr_t>(pointer));
    if (found == reserved.end())
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} is not the first address of a reserved range",
                  pointer);
    if (is_mapped(found->first, found->second))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api,
                  "memory is still mapped into the range; aclrtUnmapMem it first");
    munmap(pointer, (found->second + 4095) & ~size_t{4095});
    reserved.erase(found);
    return ACL_SUCCESS;
  });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* out, size_t size, const aclrtPhysicalMemProp* prop,
                             uint64_t flags) {
  constexpr const char* api = "aclrtMallocPhysical";
  return guarded(api, [&]() -> aclError {
    if (!out || !prop) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "handle or prop is null");
    if (flags != 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flags {} must be 0", flags);
    if (size == 0 || size % kGranularity) return bad_granularity(api, size);
    if (prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api,
                  "Toprope maps device memory only (prop->location.type is {})",
                  static_cast<int>(prop->location.type));
    Device* device = find_device(static_cast<int>(prop->location.id));
    if (!device) return no_such_device(api, static_cast<int>(prop->location.id));
    if (!device->charge(size))
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api,
                  "out of memory on device {}: {} bytes asked for, {} of {} in use (TOPROPE_DEVICE_MEMORY "
                  "sets the size)",
                  device->id, size, device->memory_used.load(), device->memory_limit);
    const int file = memfd_create("toprope-device-memory", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(size))) {
      if (file >= 0) close(file);
      device->discharge(size);
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api, "the host has no {} bytes left", size);
    }
    *out = Handles<Physical>::make(std::make_shared<Physical>(*device, size, file));
    return ACL_SUCCESS;
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  constexpr const char* api = "aclrtFreePhysical";
  // The memory itself lives until its last mapping ends.
  if (Handles<Physical>::drop(handle)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, "handle {} does not exist (any more)", fmt::ptr(handle));
}

aclError aclrtMapMem(void* pointer, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
  constexpr const char* api = "aclrtMapMem";
  const void* site = __builtin_return_address(0);
  return guarded(api, [&]() -> aclError {
    const auto physical = Handles<Physical>::share(handle);
    if (!physical)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "handle {} does not exist (any more)", fmt::ptr(handle));
    if (offset != 0 || flags != 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "offset and flags must be 0");
    if (size == 0 || size > physical->size)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "size {} is outside 1 to the block's {}", size,
                  physical->size);
    const auto begin = reinterpret_cast<uintptr_t>(pointer);
    std::lock_guard lock(mutex);
    if (!is_reserved(begin, size) || begin % 4096)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} bytes at {} are not inside one reserved range", size,
                  pointer);
    if (is_mapped(begin, size))
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "memory is mapped at {} already", pointer);
    if (mmap(pointer, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical->file, 0) == MAP_FAILED)
      return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api, "the host refused to map {} bytes", size);
    mapped[begin] = {size, physical};
    memory_registry().add({begin, size, MemoryKind::Mapped, physical->device.id, site, size});
    return ACL_SUCCESS;
  });
}

aclError aclrtUnmapMem(void* pointer) {
  constexpr const char* api = "aclrtUnmapMem";
  return guarded(api, [&]() -> aclError {
    const auto begin = reinterpret_cast<uintptr_t>(pointer);
    std::unique_lock lock(mutex);
    auto found = mapped.find(begin);
    if (found == mapped.end())
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "nothing is mapped at {}", pointer);
    Device& device = found->second.physical->device;
    lock.unlock();
    for (auto& stream : device.live_streams()) stream->wait_for_all();
    lock.lock();
    found = mapped.find(begin);
    if (found == mapped.end())
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "another thread unmapped {}", pointer);
    mmap(pointer, found->second.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
         0);
    memory_registry().remove(begin);
    mapped.erase(found);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option,
                                          size_t* granularity) {
  constexpr const char* api = "aclrtMemGetAllocationGranularity";
  if (!prop || !granularity ||
      (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM && option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED))
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "an argument is null or option {} is unknown",
                static_cast<int>(option));
  *granularity = kGranularity;
  return ACL_SUCCESS;
}

}  // extern "C"
