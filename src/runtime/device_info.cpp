// What a device says about itself.
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include "acl/acl_rt.h"
#include "base/soc.h"
#include "runtime/context.h"
#include "runtime/error.h"

using namespace toprope;

namespace {

/// Runs `body(device)` when the device exists and `out` can be written to.
template <class Body>
aclError describe_device(const char* api, int64_t id, const void* out, Body&& body) {
  if (!out) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the result pointer is null");
  return guarded(api, [&]() -> aclError {
    Device* device = find_device(static_cast<int>(id));
    return device ? body(*device) : no_such_device(api, static_cast<int>(id));
  });
}

/// User, driver and hardware number devices alike here.
aclError same_number(const char* api, int32_t from, int32_t* to) {
  return describe_device(api, from, to, [&](Device& device) -> aclError {
    *to = device.id;
    return ACL_SUCCESS;
  });
}

aclError peers(const char* api, int32_t peer, uint32_t flags) {
  return guarded(api, [&]() -> aclError {
    if (flags != 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flags {} must be 0", flags);
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    if (!find_device(peer)) return no_such_device(api, peer);
    if (context->device.id == peer)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "device {} is the current device, not a peer of it", peer);
    return ACL_SUCCESS;
  });
}

}  // namespace

extern "C" {

const char* aclrtGetSocName() {
  const char* name = nullptr;
  guarded("aclrtGetSocName", [&]() -> aclError {
    name = soc().name;
    return ACL_SUCCESS;
  });
  return name;
}

aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (!mode) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetRunMode", "runMode is null");
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtSetTsDevice(aclrtTsId id) {
  if (id == ACL_TS_ID_AICORE || id == ACL_TS_ID_AIVECTOR) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtSetTsDevice", "tsId {} is no aclrtTsId",
              static_cast<int>(id));
}

aclError aclrtGetDeviceInfo(uint32_t id, aclrtDevAttr attr, int64_t* value) {
  constexpr const char* api = "aclrtGetDeviceInfo";
  return describe_device(api, id, value, [&](Device& device) -> aclError {
    const SocInfo& chip = soc();
    switch (static_cast<int>(attr)) {
      case ACL_DEV_ATTR_AICORE_CORE_NUM:
      case ACL_DEV_ATTR_CUBE_CORE_NUM:
        *value = chip.aic;
        break;
      case ACL_DEV_ATTR_VECTOR_CORE_NUM:
        *value = chip.aiv;
        break;
      case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE:
        *value = chip.ub;
        break;
      case ACL_DEV_ATTR_MAX_BLOCK_PER_GRID:
        *value = 65535;
        break;
      case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
        *value = static_cast<int64_t>(device.memory_limit);
        break;
      case ACL_DEV_ATTR_L2_CACHE_SIZE:
        *value = static_cast<int64_t>(chip.l2);
        break;
      case ACL_DEV_ATTR_SMP_ID:
        *value = 0;
        break;
      case ACL_DEV_ATTR_PHY_CHIP_ID:
        *value = device.id;
        break;
      case ACL_DEV_ATTR_IS_VIRTUAL:
        *value = 0;
        break;
      case ACL_DEV_ATTR_NPU_ARCH:
        *value = std::atoi(std::strchr(chip.arch, '-') + 1);
        break;
      default:
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "attribute {} is not described",
                    static_cast<int>(attr));
    }
    return ACL_SUCCESS;
  });
}

aclError aclGetDeviceCapability(uint32_t id, aclDeviceInfo info, int64_t* value) {
  constexpr const char* api = "aclGetDeviceCapability";
  return describe_device(api, id, value, [&](Device&) -> aclError {
    switch (info) {
      case ACL_DEVICE_INFO_AI_CORE_NUM:
        *value = soc().aic;
        return ACL_SUCCESS;
      case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        *value = soc().aiv;
        return ACL_SUCCESS;
      case ACL_DEVICE_INFO_L2_SIZE:
        *value = static_cast<int64_t>(soc().l2);
        return ACL_SUCCESS;
      default:
        return fail(ACL_ERROR_INVALID_PARAM, api, "deviceInfo {} is unknown", static_cast<int>(info));
    }
  });
}

aclError aclrtGetDeviceCapability(int32_t id, aclrtDevFeatureType feature, int32_t* value) {
  constexpr const char* api = "aclrtGetDeviceCapability";
  return describe_device(api, id, value, [&](Device&) -> aclError {
    if (feature != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
        feature != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "feature {} is unknown", static_cast<int>(feature));
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
    return ACL_SUCCESS;
  });
}

aclError aclrtQueryDeviceStatus(int32_t id, aclrtDeviceStatus* status) {
  return describe_device("aclrtQueryDeviceStatus", id, status, [&](Device&) -> aclError {
    *status = ACL_RT_DEVICE_STATUS_NORMAL;
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceGetUuid(int32_t id, aclrtUuid* uuid) {
  return describe_device("aclrtDeviceGetUuid", id, uuid, [&](Device& device) -> aclError {
    // Unique on this host as long as it runs: the host's id and the device's number.
    *uuid = {};
    const uint64_t host = static_cast<uint64_t>(gethostid());
    const uint64_t number = static_cast<uint64_t>(device.id);
    std::memcpy(uuid->bytes, &host, sizeof host);
    std::memcpy(uuid->bytes + sizeof host, &number, sizeof number);
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  if (!pid) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDeviceGetBareTgid", "pid is null");
  *pid = getpid();
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* least, int32_t* greatest) {
  if (least) *least = 7;
  if (greatest) *greatest = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t from, int32_t* const to) {
  return same_number("aclrtGetLogicDevIdByUserDevId", from, to);
}
aclError aclrtGetUserDevIdByLogicDevId(const int32_t from, int32_t* const to) {
  return same_number("aclrtGetUserDevIdByLogicDevId", from, to);
}
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t from, int32_t* const to) {
  return same_number("aclrtGetLogicDevIdByPhyDevId", from, to);
}
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t from, int32_t* const to) {
  return same_number("aclrtGetPhyDevIdByLogicDevId", from, to);
}

aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t id, int32_t peer) {
  constexpr const char* api = "aclrtDeviceCanAccessPeer";
  return describe_device(api, id, can, [&](Device&) -> aclError {
    if (!find_device(peer)) return no_such_device(api, peer);
    *can = id != peer;
    return ACL_SUCCESS;
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t flags) {
  return peers("aclrtDeviceEnablePeerAccess", peer, flags);
}
aclError aclrtDeviceDisablePeerAccess(int32_t peer) { return peers("aclrtDeviceDisablePeerAccess", peer, 0); }

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  constexpr const char* api = "aclrtSetDeviceSatMode";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "mode {} is no aclrtFloatOverflowMode",
                  static_cast<int>(mode));
    if (mode == ACL_RT_OVERFLOW_MODE_SATURATION && std::strcmp(soc().arch, "dav-3510") == 0)
      return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "{} has the inf and nan mode only", soc().name);
    context->device.saturation = mode;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  constexpr const char* api = "aclrtGetDeviceSatMode";
  if (!mode) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "mode is null");
  return guarded(api, [&]() -> aclError {
    aclError error;
    Context* context = require_context(api, error);
    if (context) *mode = static_cast<aclrtFloatOverflowMode>(context->device.saturation.load());
    return error;
  });
}

aclError aclrtGetMemUceInfo(int32_t id, aclrtMemUceInfo*, size_t, size_t* count) {
  return describe_device("aclrtGetMemUceInfo", id, count, [&](Device&) -> aclError {
    *count = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtMemUceRepair(int32_t, aclrtMemUceInfo*, size_t count) {
  if (count == 0) return ACL_SUCCESS;
  return unsupported("aclrtMemUceRepair", "there are no uncorrectable memory errors to repair");
}

aclError aclrtGetErrorVerbose(int32_t id, aclrtErrorInfo* info) {
  return describe_device("aclrtGetErrorVerbose", id, info, [&](Device& device) -> aclError {
    *info = {};
    info->errorType = device.faulted ? ACL_RT_ERROR_AICORE : ACL_RT_NO_ERROR;
    return ACL_SUCCESS;
  });
}

aclError aclrtRepairError(int32_t id, const aclrtErrorInfo* info) {
  return describe_device("aclrtRepairError", id, info, [&](Device&) -> aclError {
    if (info->errorType == ACL_RT_NO_ERROR) return ACL_SUCCESS;
    return unsupported("aclrtRepairError", "a faulty stream is replaced by a fresh one");
  });
}

aclError aclrtGetHardwareSyncAddr(void** address) {
  // The word holds its own address: something that is no null pointer, in the 48 bits that the register has.
  static uint64_t word = reinterpret_cast<uintptr_t>(&word);
  if (!address) return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetHardwareSyncAddr", "addr is null");
  *address = &word;
  return ACL_SUCCESS;
}

}  // extern "C"
