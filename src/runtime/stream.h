// A stream: tasks in order, done when submitted, by a worker, or when something waits; or recorded into a
// graph.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl_rt.h"
#include "base/config.h"
#include "runtime/error.h"
#include "runtime/tell.h"

namespace toprope {

class Graph;
class Stream;
struct Device;

/// One piece of work. It gets the stream that it runs on, to raise faults there.
struct Task {
  const char* label;  ///< static storage
  std::function<void(Stream& on)> work;
  bool always = false;  ///< runs even behind a fault (event marks, so that nobody waits for ever)
  uint64_t number = 0;  ///< as observers know it; 0 while there are none
};

/// Where a stream's tasks go while it is captured or a task group is updated.
struct Recording {
  std::shared_ptr<Graph> graph;
  std::vector<Task>* tasks = nullptr;
};

class Stream : public std::enable_shared_from_this<Stream> {
 public:
  static constexpr uint32_t kMagic = 0x5354524d;

  Stream(Device& device, uint32_t priority, uint32_t flags);

  Device& device;
  const int32_t id;
  const uint32_t priority, flags;
  const bool saturate;  ///< the device's saturation mode when the stream was created (aclrtSetDeviceSatMode)
  std::atomic<bool> continue_on_failure{false};
  std::atomic<uint32_t> overflow_switch{0};
  std::atomic<uint32_t> subscribers{0};                  ///< threads subscribed to callbacks
  std::atomic<uint32_t> cube_limit{0}, vector_limit{0};  ///< 0: the device's
  uint32_t attributes[8] = {};                           ///< aclrtStreamAttr → value, by number

  /// Whether a task would run inside submit().
  bool immediate() const { return eager_ && !recording_.load(std::memory_order_relaxed); }

  /// Runs `work()` as the stream's next task. Only while immediate().
  template <class Work>
  aclError run_now(const char* api, Work&& work) {
    std::lock_guard order(order_);
    if (fault_.load(std::memory_order_relaxed) && !continue_on_failure) [[unlikely]]
      return refuse_faulted(api);
    if (watched()) [[unlikely]] {
      const uint64_t number = tell_submitted(0);
      const Told told(*this, number);
      work();
    } else {
      work();
    }
    return ACL_SUCCESS;
  }

  /// Holds the task, records it, or runs it, as the stream's mode says. `position` (may be null) gets the
  /// point behind it, where anybody can tell.
  aclError submit(const char* api, Task task, uint64_t* position = nullptr);

  /// The number of tasks submitted so far: a point to wait for.
  uint64_t position() const { return (eager_ ? told_ : submitted_).load(std::memory_order_acquire); }

  /// Waits until the task before `position` is done; false when `timeout_ms` (-1: forever) passes first.
  bool wait_until(uint64_t position, int timeout_ms = -1);

  /// The host has waited for the task before `position`: observers learn it.
  void tell_waited(uint64_t position);

  /// The host waits for everything that was submitted.
  void wait_for_all();

  /// Whether everything submitted is done. A lazy stream works when asked, and answers as it was before.
  bool query();

  /// Waits for everything and answers the fault that the stream carries.
  aclError synchronize(const char* api, int timeout_ms = -1);

  /// Waits for everything and ends the worker. Nothing may be submitted afterwards.
  void close();

  /// Drops what has not started; forgets the fault.
  void abort();

  /// Marks the stream as faulty and shows the report.
  void raise(aclError code, std::string report);

  /// A refused launch: shown now, answered once by the next synchronisation.
  void refuse_launch(aclError code, std::string text);

  aclError fault() const { return fault_.load(std::memory_order_acquire); }
  aclError refuse_faulted(const char* api);

  /// Redirects tasks; null ends it. The caller keeps `recording` alive meanwhile.
  void record_into(Recording* recording) { recording_.store(recording, std::memory_order_release); }
  Recording* recording() const { return recording_.load(std::memory_order_acquire); }

 private:
  /// Between its life's begin and end the thread does task `number`.
  class Told {
   public:
    Told(const Stream& stream, uint64_t number) : stream_(stream), number_(number) {
      if (number_) tell({StreamEvent::Begin, stream_.id, number_}, nullptr);
    }
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    ~Told() {
      if (number_) tell({StreamEvent::End, stream_.id, number_}, nullptr);
    }

   private:
    const Stream& stream_;
    const uint64_t number_;
  };

  /// Tells that a task was submitted; answers its number. `behind`: its position where it is held, else 0.
  uint64_t tell_submitted(uint64_t behind);
  void perform(Task& task);
  bool drain(uint64_t position);
  void work();

  const bool eager_, lazy_;
  std::atomic<aclError> fault_{ACL_SUCCESS};
  std::atomic<Recording*> recording_{nullptr};
  std::recursive_mutex order_;  // one task at a time

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<Task> queue_;
  std::atomic<uint64_t> submitted_{0}, completed_{0};
  std::atomic<uint64_t> told_{0};  ///< eager: tasks that observers were told of
  std::string fault_report_;
  aclError refused_ = ACL_SUCCESS;
  std::string refused_text_;
  bool stopping_ = false;
  std::thread worker_;
};

/// The stream of a handle; null stands for the current context's default stream. Null when `error` was set.
Stream* find_stream(const char* api, aclrtStream handle, aclError& error);

}  // namespace toprope

/// Whether submitted work is always finished when the submitting call returns (TOPROPE_STREAM=eager): 1 or 0.
/// For libraries that only look the name up.
extern "C" int toprope_streams_eager();
