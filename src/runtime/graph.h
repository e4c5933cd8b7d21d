// A captured graph: tasks in the order in which they were submitted, which respects every dependency among
// them.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/stream.h"

namespace toprope {

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  static constexpr uint32_t kMagic = 0x47525048;

  Graph();
  ~Graph();

  const uint32_t id;
  std::mutex mutex;
  std::vector<Task> tasks;

  std::vector<void*> groups;  ///< handles of its task groups, which nobody else ends

  /// Starts capturing `stream`, or lets it join a capture that runs.
  void capture(Stream& stream);

  /// Ends the capture of all streams.
  void end();

  void invalidate() { valid_ = false; }
  bool valid() const { return valid_; }
  bool capturing() const { return capturing_; }
  bool started_on(const Stream& stream) const {
    return !streams_.empty() && streams_.front().get() == &stream;
  }

 private:
  std::atomic<bool> valid_{true}, capturing_{false};
  std::vector<std::shared_ptr<Stream>> streams_;  ///< the first one is where the capture began
  Recording recording_;
};

/// A run of tasks of a graph that can be replaced.
struct TaskGroup {
  static constexpr uint32_t kMagic = 0x54475250;
  std::weak_ptr<Graph> graph;
  size_t first = 0, count = 0;
};

}  // namespace toprope
