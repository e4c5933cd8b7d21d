// An event: the last mark set in a stream, and who waits for it.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "runtime/stream.h"

namespace toprope {

/// One aclrtRecordEvent: a point in a stream, and the time at which the stream passed it.
struct Mark {
  std::shared_ptr<Stream> stream;
  uint64_t position = 0;
  std::atomic<bool> passed{false};
  std::atomic<int64_t> nanoseconds{0};
};

class Event {
 public:
  static constexpr uint32_t kMagic = 0x45564e54;

  explicit Event(uint32_t flags);

  const uint32_t id, flags;
  std::atomic<int> waiting{0};  ///< streams that were told to wait and have not passed yet

  std::mutex mutex;                  // guards what follows
  std::shared_ptr<Mark> mark;        ///< null: never recorded, or reset
  std::weak_ptr<Graph> captured_by;  ///< the capture in which it was recorded last
};

/// Nanoseconds on a steady clock.
int64_t now_ns();

}  // namespace toprope
