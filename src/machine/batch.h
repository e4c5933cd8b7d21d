// One launch while it runs: its tasks (a block's part each), what its workers share, and whether any of them
// can still go on.
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "machine/core_state.h"
#include "machine/cross_core.h"
#include "machine/run.h"

namespace toprope {

/// A launch begins with one worker, alone, for whom counting needs no atomic operation and CrossCore no lock;
/// begin_threads() ends that before the others start.
class Batch {
 public:
  explicit Batch(const Launch& l) : launch(l), tasks(l.blocks * (l.cubes + l.vectors)) {}
  const Launch& launch;
  const uint32_t tasks;
  const uint64_t serial = next_serial();  ///< tells launches apart; their objects may lie at the same address

  /// The next task's number; `tasks` or more when none is left.
  uint32_t take_task() { return count_up(next_); }
  bool has_task() const { return next_.load(std::memory_order_relaxed) < tasks; }

  /// Something has changed that a suspended core, of this worker or another, may be waiting for.
  void changed() {
    count_up(epoch_);
    if (!alone_ && sleepers_.load() != 0) wake();
  }
  uint32_t epoch() const { return epoch_.load(); }

  void fail(Fault fault, std::string report);
  bool failed() const { return failed_.load(std::memory_order_relaxed); }
  LaunchStatus take() { return std::move(status_); }

  CrossCore& cross_core() {
    if (CrossCore* made = made_.load(std::memory_order_acquire)) [[likely]]
      return *made;
    return make_cross_core();
  }

  /// From now on there are several workers; in front of the parallel region. `workers()` says how many came,
  /// before the first of them works.
  void begin_threads() { alone_ = false; }
  void workers(uint32_t count) {
    std::lock_guard lock(mutex_);
    working_ = count;
  }
  /// This worker has nothing left to do.
  void leave();

  using Cores = std::vector<const CoreState*>;
  /// The calling worker found none of `suspended` (its cores) ready after it had read the epoch `seen`.
  /// Returns nothing as soon as the epoch is another one, having slept for all but a short while; the
  /// suspended cores of all workers when none of them can go on any more, to the one who finds that.
  Cores rest(uint32_t seen, Cores suspended);

  /// The calling worker's cores have all polled GM in vain since `seen`: sleeps until the epoch is another
  /// one, `at_most` so long. Not at all when no other worker works: then only polling on leads to an end.
  void pause(uint32_t seen, std::chrono::nanoseconds at_most);

  /// After the last block: what the observers are still to learn.
  void tell_end() {
    if (cross_core_ && !failed()) cross_core_->tell_left_flags();
  }

 private:
  /// A worker that sleeps, or is about to: at `seen` none of its cores could go on.
  struct Resting {
    uint32_t seen;
    Cores suspended;
  };

  static uint64_t next_serial() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }
  uint32_t count_up(std::atomic<uint32_t>& counter) {
    if (!alone_) return counter.fetch_add(1);
    const uint32_t before = counter.load(std::memory_order_relaxed);
    counter.store(before + 1, std::memory_order_relaxed);
    return before;
  }
  void wake();
  CrossCore& make_cross_core();

  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> epoch_{0};     // counts what changed() was told
  std::atomic<uint32_t> sleepers_{0};  // workers that must be woken when the epoch changes
  std::atomic<bool> failed_{false};
  bool alone_ = true;
  std::mutex mutex_;  // guards what follows
  std::condition_variable awake_;
  uint32_t working_ = 1;  // workers that have not left
  uint32_t pausing_ = 0;
  std::vector<const Resting*> resting_;
  LaunchStatus status_;
  std::unique_ptr<CrossCore> cross_core_;
  std::atomic<CrossCore*> made_{nullptr};
};

/// The shared state of the launch that the core belongs to.
inline CrossCore& cross_core(Core& core) { return core.state->batch->cross_core(); }

}  // namespace toprope
