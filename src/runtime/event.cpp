#include "runtime/event.h"

#include <chrono>

#include "acl/acl_rt.h"
#include "runtime/graph.h"
#include "runtime/handle.h"

namespace toprope {
namespace {

std::atomic<uint32_t> next_id{0};

Event* find_event(const char* api, aclrtEvent handle, aclError& error) {
  Event* event = Handles<Event>::get(handle);
  error = event
              ? ACL_SUCCESS
              : fail(ACL_ERROR_RT_PARAM_INVALID, api, "event {} does not exist (any more)", fmt::ptr(handle));
  return event;
}

std::shared_ptr<Mark> mark_of(Event& event) {
  std::lock_guard lock(event.mutex);
  return event.mark;
}

void pass(Mark& mark) {
  mark.nanoseconds = now_ns();
  mark.passed.store(true, std::memory_order_release);
}

aclError create(const char* api, aclrtEvent* event, uint32_t flags) {
  if (!event) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "event is null");
  if (flags & ACL_EVENT_IPC)
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api,
                "Toprope does not serve events between processes (ACL_EVENT_IPC)");
  constexpr uint32_t known = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE |
                             ACL_EVENT_DEVICE_USE_ONLY | ACL_EVENT_EXTERNAL;
  if (flags & ~known)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "flag {:#x} has bits that are no ACL_EVENT_* flag", flags);
  return guarded(api, [&]() -> aclError {
    *event = Handles<Event>::make(std::make_shared<Event>(flags));
    return ACL_SUCCESS;
  });
}

aclError synchronize(const char* api, aclrtEvent handle, int timeout_ms) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Event* event = find_event(api, handle, error);
    if (!event) return error;
    {
      std::lock_guard lock(event->mutex);
      if (auto graph = event->captured_by.lock(); graph && graph->capturing()) {
        graph->invalidate();
        return fail(ACL_ERROR_RT_EVENT_CAPTURED, api, "event {} was recorded in a capture that is not ended",
                    event->id);
      }
    }
    const auto mark = mark_of(*event);
    if (!mark) return ACL_SUCCESS;
    if (!mark->passed && !mark->stream->wait_until(mark->position, timeout_ms))
      return fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, api, "event {} was not reached after {} ms", event->id,
                  timeout_ms);
    mark->stream->tell_waited(mark->position);
    return mark->stream->fault() ? mark->stream->refuse_faulted(api) : ACL_SUCCESS;
  });
}

aclError wait(const char* api, aclrtStream stream_handle, aclrtEvent event_handle) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Stream* stream = find_stream(api, stream_handle, error);
    if (!stream) return error;
    Event* event = find_event(api, event_handle, error);
    if (!event) return error;
    std::shared_ptr<Graph> graph;
    {
      std::lock_guard lock(event->mutex);
      graph = event->captured_by.lock();
    }
    if (graph && graph->capturing()) {
      const Recording* recording = stream->recording();
      if (!recording) graph->capture(*stream);
      if (recording && recording->graph != graph)
        return fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT, api,
                    "stream {} and event {} belong to different captures", stream->id, event->id);
      return ACL_SUCCESS;  // the order of submission is the order of execution in a graph
    }
    const auto mark = mark_of(*event);
    if (mark && watched()) tell({StreamEvent::After, stream->id, mark->position, mark->stream->id}, nullptr);
    if (!mark || mark->passed) return ACL_SUCCESS;
    if (stream->recording())
      return fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY, api,
                  "stream {} is being captured and cannot wait for event {}, which lies outside of the "
                  "capture and is "
                  "still ahead",
                  stream->id, event->id);
    ++event->waiting;
    std::shared_ptr<Event> kept = Handles<Event>::share(event_handle);
    return stream->submit(api, {"wait for event",
                                [mark, kept](Stream&) {
                                  if (!mark->passed) mark->stream->wait_until(mark->position);
                                  --kept->waiting;
                                },
                                true});
  });
}

/// The time of an event's mark in nanoseconds, or why there is none.
aclError time_of(const char* api, aclrtEvent handle, int64_t& nanoseconds) {
  aclError error;
  Event* event = find_event(api, handle, error);
  if (!event) return error;
  if (!(event->flags & ACL_EVENT_TIME_LINE))
    return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, api,
                "event {} was created without ACL_EVENT_TIME_LINE and has no time", event->id);
  const auto mark = mark_of(*event);
  if (!mark) return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, api, "event {} was never recorded", event->id);
  if (!mark->passed)
    return fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE, api, "event {} is not reached yet; synchronise it first",
                event->id);
  nanoseconds = mark->nanoseconds;
  return ACL_SUCCESS;
}

/// Whether the mark is passed. Asking counts as waiting, as for aclrtStreamQuery.
bool reached(Mark& mark) {
  if (mark.passed) {
    mark.stream->tell_waited(mark.position);
    return true;
  }
  mark.stream->query();
  return false;
}

}  // namespace

Event::Event(uint32_t f) : id(next_id++), flags(f) {}

int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace toprope

using namespace toprope;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
  return create("aclrtCreateEvent", event,
                ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE);
}
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return create("aclrtCreateEventWithFlag", event, flag);
}
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return create("aclrtCreateEventExWithFlag", event, flag);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  if (Handles<Event>::drop(event)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyEvent", "event {} does not exist (any more)",
              fmt::ptr(event));
}

aclError aclrtGetEventId(aclrtEvent handle, uint32_t* id) {
  aclError error;
  Event* event = find_event("aclrtGetEventId", handle, error);
  if (!event) return error;
  if (!id) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetEventId", "eventId is null");
  *id = event->id;
  return ACL_SUCCESS;
}

aclError aclrtGetEventAvailNum(uint32_t* count) {
  if (!count) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetEventAvailNum", "eventCount is null");
  *count = 65536;
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream_handle) {
  constexpr const char* api = "aclrtRecordEvent";
  return guarded(api, [&]() -> aclError {
    aclError error;
    Event* event = find_event(api, handle, error);
    if (!event) return error;
    Stream* stream = find_stream(api, stream_handle, error);
    if (!stream) return error;
    if (const Recording* recording = stream->recording()) {
      std::lock_guard lock(event->mutex);
      event->captured_by = recording->graph;
      if (!(event->flags & ACL_EVENT_EXTERNAL)) return ACL_SUCCESS;
      // An external event is seen outside of the graph: every execution marks it anew.
      std::shared_ptr<Event> kept = Handles<Event>::share(handle);
      return stream->submit(api, {"record event",
                                  [kept](Stream& on) {
                                    auto mark = std::make_shared<Mark>();
                                    mark->stream = on.shared_from_this();
                                    pass(*mark);
                                    std::lock_guard guard(kept->mutex);
                                    kept->mark = std::move(mark);
                                    kept->captured_by.reset();
                                  },
                                  true});
    }
    auto mark = std::make_shared<Mark>();
    mark->stream = stream->shared_from_this();
    const aclError code =
        stream->submit(api, {"record event", [mark](Stream&) { pass(*mark); }, true}, &mark->position);
    std::lock_guard lock(event->mutex);
    event->mark = std::move(mark);  // from here on others may wait for it
    event->captured_by.reset();
    return code;
  });
}

aclError aclrtResetEvent(aclrtEvent handle, aclrtStream stream_handle) {
  return guarded("aclrtResetEvent", [&]() -> aclError {
    aclError error;
    Event* event = find_event("aclrtResetEvent", handle, error);
    if (!event || !find_stream("aclrtResetEvent", stream_handle, error)) return error;
    std::lock_guard lock(event->mutex);
    event->mark.reset();
    return ACL_SUCCESS;
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return wait("aclrtStreamWaitEvent", stream, event);
}
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t) {
  return wait("aclrtStreamWaitEventWithTimeout", stream, event);
}

aclError aclrtQueryEvent(aclrtEvent handle, aclrtEventStatus* status) {
  aclError error;
  Event* event = find_event("aclrtQueryEvent", handle, error);
  if (!event) return error;
  if (!status) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtQueryEvent", "status is null");
  const auto mark = mark_of(*event);
  *status = !mark || reached(*mark) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus* status) {
  aclError error;
  Event* event = find_event("aclrtQueryEventStatus", handle, error);
  if (!event) return error;
  if (!status) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtQueryEventStatus", "status is null");
  const auto mark = mark_of(*event);
  *status = mark && reached(*mark) ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventWaitStatus(aclrtEvent handle, aclrtEventWaitStatus* status) {
  aclError error;
  Event* event = find_event("aclrtQueryEventWaitStatus", handle, error);
  if (!event) return error;
  if (!status) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtQueryEventWaitStatus", "status is null");
  *status = event->waiting ? ACL_EVENT_WAIT_STATUS_NOT_READY : ACL_EVENT_WAIT_STATUS_COMPLETE;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) { return synchronize("aclrtSynchronizeEvent", event, -1); }
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return synchronize("aclrtSynchronizeEventWithTimeout", event, timeout);
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
  constexpr const char* api = "aclrtEventElapsedTime";
  if (!ms) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "ms is null");
  int64_t from, to;
  if (aclError error = time_of(api, start, from)) return error;
  if (aclError error = time_of(api, end, to)) return error;
  *ms = static_cast<float>(static_cast<double>(to - from) * 1e-6);
  return ACL_SUCCESS;
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  constexpr const char* api = "aclrtEventGetTimestamp";
  if (!timestamp) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "timestamp is null");
  int64_t time;
  if (aclError error = time_of(api, event, time)) return error;
  *timestamp = static_cast<uint64_t>(time / 1000);
  return ACL_SUCCESS;
}

}  // extern "C"
