#include "runtime/stream.h"

#include <cstdio>

#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/graph.h"
#include "runtime/handle.h"

namespace toprope {
namespace {

std::atomic<int32_t> next_id{0};

/// Held by whoever drains a lazy stream. One for all streams: draining one may have to drain another up to an
/// event, and two threads that began with different streams must not wait for each other.
std::recursive_mutex& lazy_order() {
  static auto& mutex = *new std::recursive_mutex;
  return mutex;
}

void show(const std::string& report) {
  std::string text = report;
  if (text.empty() || text.back() != '\n') text += '\n';
  std::fflush(stdout);  // what the kernel printed comes before its report
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

Stream::Stream(Device& d, uint32_t p, uint32_t f)
    : device(d),
      id(next_id++),
      priority(p),
      flags(f),
      saturate(d.saturation == ACL_RT_OVERFLOW_MODE_SATURATION),
      eager_(config().stream == StreamMode::Eager),
      lazy_(config().stream == StreamMode::Lazy) {
  if (config().stream == StreamMode::Async) worker_ = std::thread([this] { work(); });
}

uint64_t Stream::tell_submitted(uint64_t behind) {
  const uint64_t number = behind ? behind : ++told_;
  tell({StreamEvent::Submit, id, number}, nullptr);
  return number;
}

void Stream::tell_waited(uint64_t position) {
  if (watched()) tell({StreamEvent::Synchronise, id, position}, nullptr);
}

void Stream::wait_for_all() {
  const uint64_t everything = position();
  wait_until(everything);
  tell_waited(everything);
}

void Stream::close() {
  wait_for_all();
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

void Stream::perform(Task& task) {
  if (fault() && !continue_on_failure && !task.always) return;
  const Told told(*this, task.number);
  try {
    task.work(*this);
  } catch (const std::exception& e) {
    raise(ACL_ERROR_RT_AICORE_EXCEPTION, fmt::format("toprope: error: {}: {}", task.label, e.what()));
  }
}

aclError Stream::submit(const char* api, Task task, uint64_t* position) {
  if (Recording* recording = recording_.load(std::memory_order_acquire)) {
    std::unique_lock<std::mutex> lock;
    if (recording->graph) lock = std::unique_lock(recording->graph->mutex);
    recording->tasks->push_back(std::move(task));
    return ACL_SUCCESS;
  }
  if (fault() && !continue_on_failure && !task.always) return refuse_faulted(api);
  if (eager_) {
    std::lock_guard order(order_);
    if (watched()) {
      task.number = tell_submitted(0);
      if (position) *position = task.number;
    }
    perform(task);
    return ACL_SUCCESS;
  }
  ++device.pending;
  {
    std::lock_guard lock(mutex_);
    const uint64_t behind = ++submitted_;
    if (watched()) task.number = tell_submitted(behind);
    queue_.push_back(std::move(task));
    if (position) *position = behind;
  }
  changed_.notify_all();
  return ACL_SUCCESS;
}

bool Stream::drain(uint64_t position) {
  std::lock_guard all(lazy_order());
  std::lock_guard order(order_);
  while (completed_.load() < position) {
    Task task;
    {
      std::lock_guard lock(mutex_);
      if (queue_.empty()) return true;  // a task that waits for its own stream's past
      task = std::move(queue_.front());
      queue_.pop_front();
    }
    perform(task);
    ++completed_;
    device.task_done();
  }
  return true;
}

void Stream::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Task task = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    {
      std::lock_guard order(order_);
      perform(task);
    }
    task.work = nullptr;  // captured state dies before anybody learns that the task is done
    lock.lock();
    ++completed_;
    changed_.notify_all();
    lock.unlock();
    device.task_done();
    lock.lock();
  }
}

bool Stream::wait_until(uint64_t position, int timeout_ms) {
  if (eager_) {
    std::lock_guard order(order_);  // another thread may be inside a task
    return true;
  }
  if (lazy_) return drain(position);
  std::unique_lock lock(mutex_);
  auto done = [this, position] { return completed_.load() >= position; };
  if (timeout_ms < 0) {
    changed_.wait(lock, done);
    return true;
  }
  return changed_.wait_for(lock, std::chrono::milliseconds(timeout_ms), done);
}

bool Stream::query() {
  const bool done = eager_ || completed_.load() >= position();
  if (!done && lazy_) drain(position());
  if (done) tell_waited(position());
  return done;
}

aclError Stream::synchronize(const char* api, int timeout_ms) {
  if (Recording* recording = recording_.load(std::memory_order_acquire)) {
    if (recording->graph) recording->graph->invalidate();
    return fail(ACL_ERROR_RT_STREAM_CAPTURED, api,
                "stream {} is being captured; it has no work to wait for, and the capture is invalid now",
                id);
  }
  const uint64_t everything = position();
  if (!wait_until(everything, timeout_ms))
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, api, "stream {} was not done after {} ms", id, timeout_ms);
  tell_waited(everything);
  if (fault()) return refuse_faulted(api);
  std::lock_guard lock(mutex_);
  if (refused_) return fail_with(std::exchange(refused_, ACL_SUCCESS), api, refused_text_);
  return ACL_SUCCESS;
}

void Stream::abort() {
  std::deque<Task> dropped;
  {
    std::lock_guard lock(mutex_);
    dropped.swap(queue_);
  }
  for (Task& task : dropped) {
    if (task.always) task.work(*this);
    task.work = nullptr;
    {
      std::lock_guard lock(mutex_);
      ++completed_;
    }
    device.task_done();
  }
  changed_.notify_all();
  std::lock_guard order(order_);
  std::lock_guard lock(mutex_);
  fault_ = refused_ = ACL_SUCCESS;
  fault_report_.clear();
}

void Stream::raise(aclError code, std::string report) {
  show(report);
  std::lock_guard lock(mutex_);
  if (fault_.load()) return;
  fault_report_ = std::move(report);
  fault_.store(code, std::memory_order_release);
  device.faulted = true;
}

void Stream::refuse_launch(aclError code, std::string text) {
  show("toprope: error: " + text);
  std::lock_guard lock(mutex_);
  refused_ = code;
  refused_text_ = std::move(text);
}

aclError Stream::refuse_faulted(const char* api) {
  std::lock_guard lock(mutex_);
  return fail(fault_.load(), api,
              "a kernel on stream {} failed; the stream stays faulty, use a fresh one\n{}", id,
              fault_report_);
}

Stream* find_stream(const char* api, aclrtStream handle, aclError& error) {
  error = ACL_SUCCESS;
  if (handle) {
    Stream* stream = Handles<Stream>::get(handle);
    if (!stream)
      error = fail(ACL_ERROR_RT_PARAM_INVALID, api, "stream {} does not exist (any more)", fmt::ptr(handle));
    return stream;
  }
  Context* context = require_context(api, error);
  return context ? &context->default_stream() : nullptr;
}

}  // namespace toprope

int toprope_streams_eager() {
  try {
    return toprope::config().stream == toprope::StreamMode::Eager;
  } catch (const toprope::ConfigError&) {
    return 0;
  }
}
