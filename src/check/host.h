// The host and its streams: copies that the runtime refuses, and device memory that the host reads, writes or
// frees while a stream's work may still use it. What has happened before what is known from submissions,
// synchronisations and events, whatever the stream mode: the same finding comes in eager and in lazy mode.
#pragma once
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "check/intervals.h"
#include "check/per_core.h"
#include "check/report.h"

namespace toprope::check {

class Host final : public Observer {
 public:
  void on_launch(const Launch& launch, bool begins) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;
  void on_host(const HostEvent& event, Site site) override;
  void on_stream(const StreamEvent& event, Site site) override;

  /// A stream's task, or a point in the host's life.
  struct Moment {
    int32_t stream = kHost;
    uint64_t when = 0;  ///< the task's number; 0: nobody
    uint32_t event = 0;
    bool operator==(const Moment&) const = default;
  };
  struct Touches {
    Moment write, reads[2];
    bool operator==(const Touches&) const = default;
  };
  static constexpr int32_t kHost = -1;

 private:
  /// What is known to be over: the tasks of each stream, and the host's own doings.
  struct Clock {
    std::vector<uint64_t> tasks;
    uint64_t host = 0;
    uint64_t of(int32_t stream) const;
    void raise(int32_t stream, uint64_t task);
    void join(const Clock& other);
  };
  struct Event {
    enum Kind : uint8_t { Device, Read, Write, Free } kind;
    const char* name;  ///< instruction or function
    Site site;
    const char* kernel;  ///< null outside kernels
    bool operator<(const Event& o) const {
      return std::tie(kind, name, site, kernel) < std::tie(o.kind, o.name, o.site, o.kernel);
    }
  };
  /// What one launch has done to a piece of GM: its last read and write, as instructions_ numbers them.
  struct Footprint {
    uint32_t read = 0, write = 0;
    bool operator==(const Footprint&) const = default;
  };

  uint32_t event_of(const Event& event);
  void touch(const Clock& clock, const Moment& now, bool write, uint64_t begin, uint64_t end);
  void report(const Moment& earlier, bool earlier_writes, const Moment& now, bool write);

  Intervals<Footprint> launch_;
  EventNumbers instructions_;
  std::mutex mutex_;  ///< guards what follows
  Clock host_;
  std::vector<Clock> streams_;                             ///< of the tasks that would be submitted next
  std::map<std::pair<int32_t, uint64_t>, Clock> pending_;  ///< of the tasks that are not done
  PagedIntervals<Touches> memory_;
  std::vector<Event> events_{1};
  std::map<Event, uint32_t> event_ids_;
};

}  // namespace toprope::check
