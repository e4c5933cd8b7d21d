// Fills, single values in a stream's order, cache hints.
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "acl/acl_rt.h"
#include "runtime/error.h"
#include "runtime/limits.h"
#include "runtime/memory.h"
#include "runtime/stream.h"
#include "runtime/tell.h"

using namespace toprope;

namespace {

aclError check_fill(const char* api, void* address, size_t room, size_t count) {
  if (!address) return fail(ACL_ERROR_INVALID_PARAM, api, "devPtr is null");
  if (count > room)
    return fail(ACL_ERROR_INVALID_PARAM, api, "{} bytes do not fit in the {} that maxCount gives", count,
                room);
  return check_range(api, "devPtr", address, count, Side::Any);
}

HostEvent write_of(const void* address, size_t count, const char* api) {
  return {HostEvent::Write, reinterpret_cast<uintptr_t>(address), count, 0, api};
}

bool holds(uint64_t now, uint64_t wanted, uint32_t how) {
  switch (how) {
    case ACL_STREAM_WAIT_VALUE_GEQ:
      return static_cast<int64_t>(now - wanted) >= 0;
    case ACL_STREAM_WAIT_VALUE_EQ:
      return now == wanted;
    case ACL_STREAM_WAIT_VALUE_AND:
      return (now & wanted) != 0;
    default:
      return ~(now | wanted) != 0;
  }
}

aclError check_value(const char* api, void* address) {
  if (reinterpret_cast<uintptr_t>(address) % sizeof(uint64_t))
    return fail(ACL_ERROR_RT_ADDR_UNALIGNED, api, "{} is not on an 8-byte boundary", address);
  return check_range(api, "devAddr", address, sizeof(uint64_t), Side::Device);
}

aclError check_hint(const char* api, void* address, size_t size) {
  return guarded(api, [&] { return check_range(api, "the address", address, size, Side::Device); });
}

}  // namespace

extern "C" {

aclError aclrtMemset(void* address, size_t room, int32_t value, size_t count) {
  constexpr const char* api = "aclrtMemset";
  const void* site = __builtin_return_address(0);
  return guarded(api, [&]() -> aclError {
    if (aclError error = check_fill(api, address, room, count))
      return tell_refusal(HostEvent::RefusedCopy, address, api, error, site);
    if (is_watched(address)) tell(write_of(address, count, api), site);
    std::memset(address, value, count);
    return ACL_SUCCESS;
  });
}

aclError aclrtMemsetAsync(void* address, size_t room, int32_t value, size_t count, aclrtStream handle) {
  constexpr const char* api = "aclrtMemsetAsync";
  const void* site = __builtin_return_address(0);
  return guarded(api, [&]() -> aclError {
    if (aclError error = check_fill(api, address, room, count))
      return tell_refusal(HostEvent::RefusedCopy, address, api, error, site);
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    return stream->submit(api, {"fill", [=, watched = is_watched(address)](Stream&) {
                                  if (watched) tell(write_of(address, count, api), site);
                                  std::memset(address, value, count);
                                }});
  });
}

aclError aclrtValueWrite(void* address, uint64_t value, uint32_t flag, aclrtStream handle) {
  constexpr const char* api = "aclrtValueWrite";
  return guarded(api, [&]() -> aclError {
    if (flag != 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flag {} must be 0", flag);
    if (aclError error = check_value(api, address)) return error;
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    return stream->submit(api, {"write value", [=](Stream&) {
                                  std::atomic_ref(*static_cast<uint64_t*>(address)).store(value);
                                }});
  });
}

aclError aclrtValueWait(void* address, uint64_t value, uint32_t flag, aclrtStream handle) {
  constexpr const char* api = "aclrtValueWait";
  return guarded(api, [&]() -> aclError {
    if (flag > ACL_STREAM_WAIT_VALUE_NOR)
      return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flag {} is no ACL_STREAM_WAIT_VALUE_*", flag);
    if (aclError error = check_value(api, address)) return error;
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    return stream->submit(api, {"wait for value", [=](Stream& on) {
                                  std::atomic_ref word(*static_cast<uint64_t*>(address));
                                  const auto limit = op_wait_timeout();
                                  const auto begin = std::chrono::steady_clock::now();
                                  while (!holds(word.load(), value, flag)) {
                                    if (limit.count() && std::chrono::steady_clock::now() - begin > limit)
                                      return on.raise(
                                          ACL_ERROR_RT_TASK_TIMEOUT,
                                          fmt::format("toprope: error: aclrtValueWait: {} did not come to "
                                                      "hold the value within {} s; it holds {:#x}",
                                                      address, limit.count(), word.load()));
                                    std::this_thread::yield();
                                  }
                                }});
  });
}

aclError aclrtMemFlush(void* address, size_t size) { return check_hint("aclrtMemFlush", address, size); }
aclError aclrtMemInvalidate(void* address, size_t size) {
  return check_hint("aclrtMemInvalidate", address, size);
}

aclError aclrtCmoAsync(void* address, size_t size, aclrtCmoType type, aclrtStream handle) {
  constexpr const char* api = "aclrtCmoAsync";
  if (type > ACL_RT_CMO_TYPE_FLUSH)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "type {} is no aclrtCmoType", static_cast<int>(type));
  return guarded(api, [&]() -> aclError {
    aclError error;
    if (!find_stream(api, handle, error)) return error;
    return check_range(api, "src", address, size, Side::Device);
  });
}

}  // extern "C"
