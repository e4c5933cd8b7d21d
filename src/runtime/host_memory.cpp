// Host memory that devices can reach: allocated here, or the program's own and registered.
#include <cstdlib>

#include "acl/acl_rt.h"
#include "base/memory_registry.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/memory.h"
#include "runtime/stream.h"
#include "runtime/tell.h"

using namespace toprope;

namespace {

aclError allocate(const char* api, void** out, size_t size, const void* site) {
  return guarded(api, [&]() -> aclError {
    if (!out) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the result pointer is null");
    if (size == 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the size is 0; it must be positive");
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    constexpr size_t page = 4096;
    size_t mapped = 0;
    void* address = size < (size_t{1} << 20) ? std::aligned_alloc(page, (size + page - 1) & ~(page - 1))
                                             : take_memory(size, mapped);
    if (!address) return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api, "the host has no {} bytes left", size);
    memory_registry().add(
        {reinterpret_cast<uintptr_t>(address), size, MemoryKind::Host, context->device.id, site, mapped});
    *out = address;
    if (watched()) tell({HostEvent::Allocate, reinterpret_cast<uintptr_t>(address), size, 0, api}, site);
    return ACL_SUCCESS;
  });
}

aclError release(const char* api, void* pointer, bool synchronise, const void* site) {
  const aclError error = guarded(api, [&]() -> aclError {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    if (!pointer) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the pointer is null");
    const auto found = memory_registry().find(address);
    if (!found || found->base != address || found->kind != MemoryKind::Host) {
      if (found)
        return fail(ACL_ERROR_RT_PARAM_INVALID, api,
                    "{} is not the first address of memory of aclrtMallocHost; it lies in {}", pointer,
                    describe(*found));
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} was not allocated by aclrtMallocHost{}", pointer,
                  explain_address(address));
    }
    Device& device = *find_device(found->device);
    if (synchronise)
      for (auto& stream : device.live_streams()) stream->wait_for_all();
    if (watched()) tell({HostEvent::Free, address, found->size, 0, api}, site);
    const auto block = memory_registry().remove(address, site);
    if (!block) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "double free of {}", pointer);
    device.when_idle([pointer, mapped = block->mapped] { give_back(pointer, mapped); });
    return ACL_SUCCESS;
  });
  return pointer ? tell_refusal(HostEvent::RefusedFree, pointer, api, error, site) : error;
}

aclError enlist(const char* api, void* pointer, uint64_t size, const void* site) {
  return guarded(api, [&]() -> aclError {
    if (!pointer || size == 0)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the pointer is null or the size is 0");
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    if (const auto block = memory_registry().find(address))
      return fail(block->kind == MemoryKind::Registered ? ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED
                                                        : ACL_ERROR_RT_PARAM_INVALID,
                  api, "{} lies in {} already", pointer, describe(*block));
    memory_registry().add({address, size, MemoryKind::Registered, context->device.id, site, 0});
    return ACL_SUCCESS;
  });
}

}  // namespace

extern "C" {

aclError aclrtMallocHost(void** out, size_t size) {
  return allocate("aclrtMallocHost", out, size, __builtin_return_address(0));
}
aclError aclrtMallocHostWithCfg(void** out, uint64_t size, aclrtMallocConfig*) {
  return allocate("aclrtMallocHostWithCfg", out, size, __builtin_return_address(0));
}
aclError aclrtFreeHost(void* pointer) {
  return release("aclrtFreeHost", pointer, false, __builtin_return_address(0));
}
aclError aclrtFreeHostWithDevSync(void* pointer) {
  return release("aclrtFreeHostWithDevSync", pointer, true, __builtin_return_address(0));
}

aclError aclrtHostRegister(void* pointer, uint64_t size, aclrtHostRegisterType, void** device_pointer) {
  if (!device_pointer) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtHostRegister", "devPtr is null");
  const aclError error = enlist("aclrtHostRegister", pointer, size, __builtin_return_address(0));
  if (!error) *device_pointer = pointer;
  return error;
}

aclError aclrtHostRegisterV2(void* pointer, uint64_t size, uint32_t) {
  return enlist("aclrtHostRegisterV2", pointer, size, __builtin_return_address(0));
}

aclError aclrtHostGetDevicePointer(void* host, void** device, uint32_t) {
  constexpr const char* api = "aclrtHostGetDevicePointer";
  if (!device) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "pDevice is null");
  return guarded(api, [&]() -> aclError {
    const auto block = memory_registry().find(reinterpret_cast<uintptr_t>(host));
    if (!block || block->on_device())
      return fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, api, "{} is not registered host memory", host);
    *device = host;
    return ACL_SUCCESS;
  });
}

aclError aclrtHostUnregister(void* pointer) {
  constexpr const char* api = "aclrtHostUnregister";
  return guarded(api, [&]() -> aclError {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    const auto block = memory_registry().find(address);
    if (!block || block->base != address || block->kind != MemoryKind::Registered)
      return fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, api,
                  "{} is not the first address of registered memory", pointer);
    memory_registry().remove(address);
    return ACL_SUCCESS;
  });
}

}  // extern "C"
