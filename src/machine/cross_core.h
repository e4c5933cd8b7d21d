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
  Meeting(std::vector<uint32_t> members) : members_(std::move(members)), arrivals_(members_.size()) {}

  /// The arriving core's round; `complete` says whether this arrival completed one.
  uint32_t arrive(uint32_t core, bool& complete);
  uint32_t rounds() const { return rounds_.load(std::memory_order_acquire); }
  bool begun() const { return in_round_ != 0; }
  bool has_arrived(size_t member, uint32_t round) const { return arrivals_[member] > round; }
  const std::vector<uint32_t>& members() const { return members_; }
  /// The members that have not arrived in round `round` yet.
  std::vector<uint32_t> missing(uint32_t round) const;

 private:
  std::vector<uint32_t> members_;  // task numbers
  std::vector<uint32_t> arrivals_;
  std::atomic<uint32_t> rounds_{0};
  uint32_t in_round_ = 0;
};

class CrossCore {
 public:
  static constexpr uint32_t kFlags = 16, kPairFlags = 32, kMost = 15;
  explicit CrossCore(const Launch& launch);

  const Launch& launch;
  std::mutex mutex;  ///< guards everything below except Counter::count

  /// A flag of one core: how often it may be waited for, and what raised it.
  struct Counter {
    std::atomic<uint32_t> count{0};
    uint64_t raised_by[16] = {};  ///< SyncEvent objects, oldest at `oldest`
    uint32_t oldest = 0;
  };
  Counter& counter(uint32_t task, uint32_t id) { return counters_[task * kFlags + id]; }
  Counter& pair_counter(uint32_t task, uint32_t id) { return pair_counters_[task * kPairFlags + id]; }

  /// The meeting with a name of its own; made on first use from the tasks that `member` picks.
  template <class Member>
  Meeting& meeting(uint64_t key, Member member) {
    auto found = meetings_.find(key);
    if (found == meetings_.end()) {
      std::vector<uint32_t> members;
      for (uint32_t t = 0; t < tasks(); ++t)
        if (member(t)) members.push_back(t);
      found = meetings_.emplace(key, std::make_unique<Meeting>(std::move(members))).first;
    }
    return *found->second;
  }

  /// Tells the observers which flags nobody will wait for any more. After the last block.
  void tell_left_flags() const;

  uint32_t parts() const { return launch.cubes + launch.vectors; }
  uint32_t tasks() const { return launch.blocks * parts(); }
  uint32_t block_of(uint32_t task) const { return task / parts(); }
  bool is_cube(uint32_t task) const { return task % parts() < launch.cubes; }
  uint32_t task_of(const Core& core) const;
  /// "AIV 3" with the number that GetBlockIdx() gives there.
  std::string name(uint32_t task) const;
  uint32_t index_of(uint32_t task) const;  ///< that number
  std::string names(const std::vector<uint32_t>& tasks) const;

 private:
  std::unordered_map<uint64_t, std::unique_ptr<Meeting>> meetings_;
  std::vector<Counter> counters_, pair_counters_;
};

/// The shared state of the launch that the core belongs to.
CrossCore& cross_core(Core& core);

}  // namespace toprope
