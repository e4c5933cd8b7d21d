// A described device: its memory account, its streams, its settings.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "acl/acl_base.h"

namespace toprope {

class Context;
class Stream;

struct Device {
  explicit Device(int index);

  const int id;
  const uint64_t memory_limit;           ///< bytes
  std::atomic<uint64_t> memory_used{0};  ///< bytes held by allocations
  std::atomic<uint64_t> memory_peak{0};
  std::atomic<int> saturation{1};                  ///< aclrtFloatOverflowMode, inf and nan by default
  std::atomic<uint32_t> cube_limit, vector_limit;  ///< cores that operators may plan for
  std::atomic<bool> faulted{false};                ///< a kernel faulted since the device was last reset
  std::atomic<int64_t> pending{0};                 ///< tasks that streams hold or run

  std::mutex mutex;  ///< guards what follows
  std::vector<std::weak_ptr<Stream>> streams;
  int set_count = 0;                 ///< aclrtSetDevice calls not taken back
  std::shared_ptr<Context> primary;  ///< exists once the device was set
  aclrtContext primary_handle = nullptr;
  std::vector<std::function<void()>> at_idle;  ///< memory that waits for the streams before it is given back

  /// Takes `bytes` from the account; false when the limit does not allow it.
  bool charge(uint64_t bytes);
  void discharge(uint64_t bytes) { memory_used -= bytes; }

  void add_stream(const std::shared_ptr<Stream>& stream);

  /// The streams that exist now.
  std::vector<std::shared_ptr<Stream>> live_streams();

  /// One held task ended; the last one gives back what waited.
  void task_done();

  /// Runs `release` now, or when no task is pending.
  void when_idle(std::function<void()> release);
};

/// Device `id`, or null when there is no such one. Throws ConfigError when the environment is refused.
Device* find_device(int id);

/// "device 5 does not exist: TOPROPE_DEVICES=2 gives 0 to 1" as a failure of `api`.
aclError no_such_device(const char* api, int id);

}  // namespace toprope
