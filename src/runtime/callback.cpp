// Host functions in a stream's order, and the report calls of threads that subscribed to them.
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "acl/acl_rt.h"
#include "runtime/stream.h"

using namespace toprope;

namespace {

// Callbacks run with the stream's work; a thread in aclrtProcessReport only learns that some did.
std::mutex report_mutex;
std::condition_variable reported;
uint64_t callbacks_run = 0;
thread_local uint64_t callbacks_seen = 0;

aclError submit_host(const char* api, Stream& stream, const char* label, void (*fn)(void*), void* data,
                     bool report) {
  if (!fn) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the function is null");
  return stream.submit(api, {label, [fn, data, report](Stream&) {
                               fn(data);
                               if (!report) return;
                               {
                                 std::lock_guard lock(report_mutex);
                                 ++callbacks_run;
                               }
                               reported.notify_all();
                             }});
}

}  // namespace

extern "C" {

aclError aclrtLaunchHostFunc(aclrtStream handle, aclrtHostFunc fn, void* args) {
  constexpr const char* api = "aclrtLaunchHostFunc";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    return stream ? submit_host(api, *stream, "host function", fn, args, false) : error;
  });
}

aclError aclrtSubscribeReport(uint64_t, aclrtStream handle) {
  return guarded("aclrtSubscribeReport", [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream("aclrtSubscribeReport", handle, error);
    if (stream) ++stream->subscribers;
    return error;
  });
}

aclError aclrtUnSubscribeReport(uint64_t thread, aclrtStream handle) {
  constexpr const char* api = "aclrtUnSubscribeReport";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    if (!stream->subscribers)
      return fail(ACL_ERROR_RT_STREAM_NO_CB_REG, api, "thread {:#x} is not subscribed to stream {}", thread,
                  stream->id);
    --stream->subscribers;
    return ACL_SUCCESS;
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* data, aclrtCallbackBlockType, aclrtStream handle) {
  constexpr const char* api = "aclrtLaunchCallback";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, handle, error);
    if (!stream) return error;
    if (!stream->subscribers)
      return fail(ACL_ERROR_RT_STREAM_NO_CB_REG, api,
                  "no thread is subscribed to stream {}; call aclrtSubscribeReport", stream->id);
    return submit_host(api, *stream, "callback", fn, data, true);
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  constexpr const char* api = "aclrtProcessReport";
  if (timeout == 0 || timeout < -1)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "timeout {} is neither -1 nor positive", timeout);
  std::unique_lock lock(report_mutex);
  const auto news = [] { return callbacks_run > callbacks_seen; };
  if (timeout == -1)
    reported.wait(lock, news);
  else if (!reported.wait_for(lock, std::chrono::milliseconds(timeout), news))
    return fail(ACL_ERROR_RT_REPORT_TIMEOUT, api, "no callback ran within {} ms", timeout);
  callbacks_seen = callbacks_run;
  return ACL_SUCCESS;
}

}  // extern "C"
