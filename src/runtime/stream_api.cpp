// aclrt*Stream*: making, ending, waiting for and describing streams.
#include <cstring>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

using namespace toprope;

namespace {

constexpr uint32_t kLeastPriority = 7;
constexpr uint32_t kFlags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT |
                            ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

aclError create(const char* api, aclrtStream* stream, uint32_t priority, uint32_t flags) {
  if (!stream) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "stream is null");
  if (priority > kLeastPriority)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "priority {} is outside 0 to {}", priority, kLeastPriority);
  if (flags & ~kFlags)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flag {:#x} has bits that are no ACL_STREAM_* flag", flags);
  return guarded(api, [&]() -> aclError {
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    auto made = std::make_shared<Stream>(context->device, priority, flags);
    context->device.add_stream(made);
    *stream = Handles<Stream>::make(std::move(made));
    return ACL_SUCCESS;
  });
}

aclError destroy(const char* api, aclrtStream handle, bool force) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = handle ? find_stream(api, handle, error) : nullptr;
    if (!handle)
      error =
          fail(ACL_ERROR_RT_PARAM_INVALID, api, "stream is null; the default stream ends with its context");
    if (!stream) return error;
    if (stream->recording())
      return fail(ACL_ERROR_RT_STREAM_CAPTURED, api, "stream {} is being captured; end the capture first",
                  stream->id);
    if (Context* context = current_context(); context && context->default_stream_handle() == handle)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "this is the default stream; it ends with its context");
    const auto dropped = Handles<Stream>::drop(handle);
    if (!dropped)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "another thread destroyed the stream meanwhile");
    if (force) dropped->abort();
    dropped->close();
    return ACL_SUCCESS;
  });
}

/// Runs `body(stream)` on a live stream.
template <class Body>
aclError with_stream(const char* api, aclrtStream handle, Body&& body) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    return stream ? body(*stream) : error;
  });
}

/// Runs `body(stream)` when `out` can be written to.
template <class T, class Body>
aclError answer(const char* api, aclrtStream handle, T* out, Body&& body) {
  if (!out) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the result pointer is null");
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    *out = body(stream);
    return ACL_SUCCESS;
  });
}

}  // namespace

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) { return create("aclrtCreateStream", stream, 0, 0); }
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return create("aclrtCreateStreamWithConfig", stream, priority, flag);
}

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle(void) {
  return new (std::nothrow) aclrtStreamConfigHandle{};
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  if (!handle) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyStreamConfigHandle", "handle is null");
  delete handle;
  return ACL_SUCCESS;
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* value, size_t size) {
  constexpr const char* api = "aclrtSetStreamConfigOpt";
  if (!handle || !value) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "handle or attrValue is null");
  auto take = [&](auto& field) -> aclError {
    if (size != sizeof field)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "attribute {} has {} bytes, not {}",
                  static_cast<int>(attr), sizeof field, size);
    std::memcpy(&field, value, size);
    return ACL_SUCCESS;
  };
  switch (attr) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      return take(handle->workptr);
    case ACL_RT_STREAM_WORK_SIZE:
      return take(handle->workSize);
    case ACL_RT_STREAM_FLAG:
      return take(handle->flag);
    case ACL_RT_STREAM_PRIORITY:
      return take(handle->priority);
  }
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, "attribute {} is unknown", static_cast<int>(attr));
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return create("aclrtCreateStreamV2", stream, handle ? handle->priority : 0,
                handle ? static_cast<uint32_t>(handle->flag) : 0);
}

aclError aclrtDestroyStream(aclrtStream stream) { return destroy("aclrtDestroyStream", stream, false); }
aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return destroy("aclrtDestroyStreamForce", stream, true);
}

aclError aclrtStreamAbort(aclrtStream handle) {
  return with_stream("aclrtStreamAbort", handle, [](Stream& stream) -> aclError {
    stream.abort();
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeStream(aclrtStream handle) {
  return with_stream("aclrtSynchronizeStream", handle,
                     [](Stream& stream) { return stream.synchronize("aclrtSynchronizeStream"); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream handle, int32_t timeout) {
  constexpr const char* api = "aclrtSynchronizeStreamWithTimeout";
  if (timeout < -1)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "timeout {} is neither -1 nor a time", timeout);
  return with_stream(api, handle, [&](Stream& stream) { return stream.synchronize(api, timeout); });
}

aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus* status) {
  return answer("aclrtStreamQuery", handle, status, [](Stream& stream) {
    return stream.query() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  });
}

aclError aclrtStreamGetId(aclrtStream handle, int32_t* id) {
  return answer("aclrtStreamGetId", handle, id, [](Stream& stream) { return stream.id; });
}
aclError aclrtStreamGetPriority(aclrtStream handle, uint32_t* priority) {
  return answer("aclrtStreamGetPriority", handle, priority, [](Stream& stream) { return stream.priority; });
}
aclError aclrtStreamGetFlags(aclrtStream handle, uint32_t* flags) {
  return answer("aclrtStreamGetFlags", handle, flags, [](Stream& stream) { return stream.flags; });
}

aclError aclrtGetStreamAvailableNum(uint32_t* count) {
  if (!count) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetStreamAvailableNum", "streamCount is null");
  *count = 1024;
  return ACL_SUCCESS;
}

aclError aclrtSetStreamFailureMode(aclrtStream handle, uint64_t mode) {
  constexpr const char* api = "aclrtSetStreamFailureMode";
  if (mode != ACL_STOP_ON_FAILURE && mode != ACL_CONTINUE_ON_FAILURE)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api,
                "mode {} is neither ACL_STOP_ON_FAILURE nor ACL_CONTINUE_ON_FAILURE", mode);
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    stream.continue_on_failure = mode == ACL_CONTINUE_ON_FAILURE;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamAttribute(aclrtStream handle, aclrtStreamAttr attr, aclrtStreamAttrValue* value) {
  constexpr const char* api = "aclrtSetStreamAttribute";
  if (!value || attr < ACL_STREAM_ATTR_FAILURE_MODE || attr > ACL_STREAM_ATTR_PRIORITY)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "value is null or attribute {} is unknown",
                static_cast<int>(attr));
  if (attr == ACL_STREAM_ATTR_FAILURE_MODE) return aclrtSetStreamFailureMode(handle, value->failureMode);
  if (attr == ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK)
    return aclrtSetStreamOverflowSwitch(handle, value->overflowSwitch);
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    stream.attributes[attr] = value->userCustomTag;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamAttribute(aclrtStream handle, aclrtStreamAttr attr, aclrtStreamAttrValue* value) {
  constexpr const char* api = "aclrtGetStreamAttribute";
  if (!value || attr < ACL_STREAM_ATTR_FAILURE_MODE || attr > ACL_STREAM_ATTR_PRIORITY)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "value is null or attribute {} is unknown",
                static_cast<int>(attr));
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    *value = {};
    if (attr == ACL_STREAM_ATTR_FAILURE_MODE)
      value->failureMode = stream.continue_on_failure ? ACL_CONTINUE_ON_FAILURE : ACL_STOP_ON_FAILURE;
    else if (attr == ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK)
      value->overflowSwitch = stream.overflow_switch;
    else
      value->userCustomTag = stream.attributes[attr];
    return ACL_SUCCESS;
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream handle, uint32_t flag) {
  constexpr const char* api = "aclrtSetStreamOverflowSwitch";
  if (flag > 1) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flag {} is neither 0 nor 1", flag);
  return with_stream(api, handle, [&](Stream& stream) -> aclError {
    stream.overflow_switch = flag;
    return ACL_SUCCESS;
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream handle, uint32_t* flag) {
  return answer("aclrtGetStreamOverflowSwitch", handle, flag,
                [](Stream& stream) { return stream.overflow_switch.load(); });
}

}  // extern "C"
