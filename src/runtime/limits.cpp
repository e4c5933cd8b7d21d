// Cores that operators may plan for, and operator timeouts.
#include "runtime/limits.h"

#include <atomic>

#include "acl/acl_rt.h"
#include "base/soc.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

using namespace toprope;

namespace {

std::atomic<uint32_t> wait_seconds{0};
std::atomic<uint64_t> execute_us{0};
constexpr uint64_t kInterval = 1000000;  // execution timeouts are whole seconds, in microseconds

thread_local std::weak_ptr<Stream> thread_limits;

aclError check(const char* api, aclrtDevResLimitType type, uint32_t value) {
  const uint32_t most = type == ACL_RT_DEV_RES_CUBE_CORE ? soc().aic : soc().aiv;
  if (type != ACL_RT_DEV_RES_CUBE_CORE && type != ACL_RT_DEV_RES_VECTOR_CORE)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "type {} is no aclrtDevResLimitType",
                static_cast<int>(type));
  if (value == 0 || value > most)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "{} cores are outside 1 to {}", value, most);
  return ACL_SUCCESS;
}

template <class Holder>
auto& limit_of(Holder& holder, aclrtDevResLimitType type) {
  return type == ACL_RT_DEV_RES_CUBE_CORE ? holder.cube_limit : holder.vector_limit;
}

uint32_t limit_of_stream(Stream& stream, aclrtDevResLimitType type) {
  const uint32_t own = limit_of(stream, type);
  return own ? own : limit_of(stream.device, type).load();
}

template <class Body>
aclError with_device(const char* api, int32_t id, Body&& body) {
  return guarded(api, [&]() -> aclError {
    Device* device = find_device(id);
    return device ? body(*device) : no_such_device(api, id);
  });
}

template <class Body>
aclError with_stream(const char* api, aclrtStream handle, Body&& body) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    return stream ? body(*stream) : error;
  });
}

}  // namespace

std::chrono::seconds toprope::op_wait_timeout() { return std::chrono::seconds(wait_seconds.load()); }

extern "C" {

aclError aclrtGetDeviceResLimit(int32_t id, aclrtDevResLimitType type, uint32_t* value) {
  constexpr const char* api = "aclrtGetDeviceResLimit";
  if (!value) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "value is null");
  return with_device(api, id, [&](Device& device) -> aclError {
    if (aclError error = check(api, type, 1)) return error;
    *value = limit_of(device, type);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetDeviceResLimit(int32_t id, aclrtDevResLimitType type, uint32_t value) {
  constexpr const char* api = "aclrtSetDeviceResLimit";
  return with_device(api, id, [&](Device& device) -> aclError {
    if (aclError error = check(api, type, value)) return error;
    limit_of(device, type) = value;
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDeviceResLimit(int32_t id) {
  return with_device("aclrtResetDeviceResLimit", id, [](Device& device) -> aclError {
    device.cube_limit = soc().aic;
    device.vector_limit = soc().aiv;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamResLimit(aclrtStream handle, aclrtDevResLimitType type, uint32_t* value) {
  constexpr const char* api = "aclrtGetStreamResLimit";
  if (!value) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "value is null");
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    if (aclError error = check(api, type, 1)) return error;
    *value = limit_of_stream(stream, type);
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamResLimit(aclrtStream handle, aclrtDevResLimitType type, uint32_t value) {
  constexpr const char* api = "aclrtSetStreamResLimit";
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    if (aclError error = check(api, type, value)) return error;
    limit_of(stream, type) = value;
    return ACL_SUCCESS;
  });
}

aclError aclrtResetStreamResLimit(aclrtStream handle) {
  return with_stream("aclrtResetStreamResLimit", handle, [](Stream& stream) -> aclError {
    stream.cube_limit = stream.vector_limit = 0;
    return ACL_SUCCESS;
  });
}

aclError aclrtUseStreamResInCurrentThread(aclrtStream handle) {
  return with_stream("aclrtUseStreamResInCurrentThread", handle, [](Stream& stream) -> aclError {
    thread_limits = stream.weak_from_this();
    return ACL_SUCCESS;
  });
}

aclError aclrtUnuseStreamResInCurrentThread(aclrtStream handle) {
  return with_stream("aclrtUnuseStreamResInCurrentThread", handle, [](Stream&) -> aclError {
    thread_limits.reset();
    return ACL_SUCCESS;
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  constexpr const char* api = "aclrtGetResInCurrentThread";
  if (!value) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "value is null");
  return guarded(api, [&]() -> aclError {
    if (aclError error = check(api, type, 1)) return error;
    if (const auto stream = thread_limits.lock()) {
      *value = limit_of_stream(*stream, type);
      return ACL_SUCCESS;
    }
    aclError error;
    Context* context = require_context(api, error);
    if (context) *value = limit_of(context->device, type);
    return error;
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t seconds) {
  wait_seconds = seconds;
  return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOut(uint32_t seconds) {
  execute_us = uint64_t{seconds} * kInterval;
  return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t ms) {
  execute_us = (uint64_t{ms} * 1000 + kInterval - 1) / kInterval * kInterval;
  return ACL_SUCCESS;
}

aclError aclrtSetOpExecuteTimeOutV2(uint64_t us, uint64_t* actual) {
  constexpr const char* api = "aclrtSetOpExecuteTimeOutV2";
  if (!actual) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "actualTimeout is null");
  execute_us = us > UINT64_MAX - kInterval ? UINT64_MAX / kInterval * kInterval
                                           : (us + kInterval - 1) / kInterval * kInterval;
  *actual = execute_us;
  return ACL_SUCCESS;
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  if (!interval) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetOpTimeOutInterval", "interval is null");
  *interval = kInterval;
  return ACL_SUCCESS;
}

}  // extern "C"
