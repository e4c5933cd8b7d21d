// What the cores of one launch share: flags, and meetings of groups of cores.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/observer.h"
#include "machine/run.h"

namespace toprope {

/// A group of cores that meet again and again: round r is complete when every member has arrived r+1 times.
class Meeting {
 public:
  /// `members`: task numbers, of `tasks`.
  Meeting(std::vector<uint32_t> members, uint32_t tasks) : members_(std::move(members)), arrivals_(tasks) {}

  /// The arriving core's round; `complete` says whether this arrival completed one.
  uint32_t arrive(uint32_t task, bool& complete) {
    const uint32_t round = arrivals_[task]++, open = rounds_.load(std::memory_order_relaxed);
    complete = round == open && ++in_round_ == members_.size();
    if (complete) open_next(open + 1);
    return round;
  }
  uint32_t rounds() const { return rounds_.load(std::memory_order_acquire); }
  bool begun() const { return in_round_ != 0; }
  bool has_arrived(uint32_t task, uint32_t round) const { return arrivals_[task] > round; }
  const std::vector<uint32_t>& members() const { return members_; }
  /// The members that have not arrived in round `round` yet.
  std::vector<uint32_t> missing(uint32_t round) const;

 private:
  void open_next(uint32_t round);

  std::vector<uint32_t> members_;
  std::vector<uint32_t> arrivals_;  // by task number
  std::atomic<uint32_t> rounds_{0};
  uint32_t in_round_ = 0;
};

class CrossCore {
 public:
  static constexpr uint32_t kFlags = 16, kPairFlags = 32, kMost = 15;
  /// `alone`: whether the launch has one worker only, which may end while cores wait.
  CrossCore(const Launch& launch, const bool& alone);

  const Launch& launch;
  const bool runs_at_once;  ///< the chip has a core for each block

  /// To be held for everything below except Counter::count. A worker alone has nobody to keep out.
  std::unique_lock<std::mutex> lock() {
    return alone_ ? std::unique_lock(mutex_, std::defer_lock) : std::unique_lock(mutex_);
  }

  /// A flag of one core: how often it may be waited for, and what raised it.
  struct Counter {
    std::atomic<uint32_t> count{0};
    uint64_t raised_by[16] = {};  ///< SyncEvent objects, oldest at `oldest`
    uint32_t oldest = 0;
  };
  Counter& counter(uint32_t task, uint32_t id) { return counter(counters_, task, id, kFlags); }
  Counter& pair_counter(uint32_t task, uint32_t id) { return counter(pair_counters_, task, id, kPairFlags); }

  /// The meeting with a name of its own; made on first use from the tasks that `member` picks.
  template <class Member>
  Meeting& meeting(uint64_t key, Member member) {
    auto found = meetings_.find(key);
    if (found == meetings_.end()) {
      std::vector<uint32_t> members;
      for (uint32_t t = 0; t < tasks(); ++t)
        if (member(t)) members.push_back(t);
      found = meetings_.emplace(key, std::make_unique<Meeting>(std::move(members), tasks())).first;
    }
    return *found->second;
  }

  /// Those of SyncAll have their names, too, and are found without them.
  Meeting& barrier(bool vector_only, uint64_t key) {
    Meeting*& known = barriers_[vector_only];
    if (!known) known = &meeting(key, [&](uint32_t t) { return !vector_only || !is_cube(t); });
    return *known;
  }

  /// Tells the observers which flags nobody will wait for any more. After the last block.
  void tell_left_flags() const;

  uint32_t parts() const { return launch.cubes + launch.vectors; }
  uint32_t tasks() const { return launch.blocks * parts(); }
  uint32_t block_of(uint32_t task) const { return task / parts(); }
  bool is_cube(uint32_t task) const { return task % parts() < launch.cubes; }
  /// "AIV 3" with the number that GetBlockIdx() gives there.
  std::string name(uint32_t task) const;
  uint32_t index_of(uint32_t task) const;  ///< that number
  std::string names(const std::vector<uint32_t>& tasks) const;

 private:
  const bool& alone_;
  std::mutex mutex_;
  std::unordered_map<uint64_t, std::unique_ptr<Meeting>> meetings_;
  Meeting* barriers_[2] = {};

  // Of each core that sets or waits for a flag.
  using Counters = std::unique_ptr<Counter[]>;
  Counter& counter(std::vector<Counters>& all, uint32_t task, uint32_t id, uint32_t ids);
  std::vector<Counters> counters_, pair_counters_;
};

}  // namespace toprope
