// What has happened before what: vector clocks over the pipes of a core, and over cores.
// Rules: Ascend C API, synchronisation inside a core (key features, tables 1-3) and between cores.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "machine/observer.h"

namespace toprope::check {

inline constexpr int kPipes = 7;  // S V M MTE1 MTE2 MTE3 FIX

/// How many instructions of each pipe are known to be finished.
using Clock = std::array<uint32_t, kPipes>;

/// Order inside one core and its knowledge of others.
class CoreOrder {
 public:
  explicit CoreOrder(bool automatic_sync) : automatic_(automatic_sync) {}

  /// An instruction is issued on `pipe`; returns its number there.
  uint32_t issue(Pipe pipe);
  void set_flag(Pipe from, Pipe to, int id);
  void wait_flag(Pipe from, Pipe to, int id);
  void barrier(Pipe pipe);
  /// A queue's buffer changes hands: what `from` has done so far is finished before whoever receives it goes
  /// on.
  void hand_over(uint64_t buffer, Pipe from);
  void receive(uint64_t buffer, Pipe from, Pipe to);

  /// Whether instruction `number` of `pipe` on this core is finished before the next instruction on `at`.
  bool finished(Pipe pipe, uint32_t number, Pipe at) const {
    return known_[index(at)][index(pipe)] >= number;
  }

  /// The compiler sees this dependence (`at` needs what instruction `number` of `by` did) and has put the
  /// wait there: V-V, and S against V, MTE2 and MTE3 on a vector core, unless the kernel was compiled with
  /// --cce-auto-sync=off. False when it has not.
  bool wait_as_compiled(Pipe by, uint32_t number, Pipe at);

  // Between cores. `remote` counts what this core knows of the others' pipes.
  Clock released(Pipe pipe) const;
  std::vector<Clock>& remote() { return remote_; }
  const std::vector<Clock>& remote() const { return remote_; }

 private:
  static int index(Pipe pipe) { return static_cast<int>(pipe); }
  void join(Pipe at, const Clock& clock);
  Clock snapshot(Pipe pipe) const;

  bool automatic_;
  Clock issued_{};                     // per pipe
  std::array<Clock, kPipes> known_{};  // [pipe][other]: finished before the pipe's next instruction
  std::unordered_map<uint32_t, Clock> flags_;
  std::unordered_map<uint64_t, Clock> buffers_;
  std::vector<Clock> remote_;
};

/// Order of a launch: every core's, and what synchronises them.
class LaunchOrder {
 public:
  explicit LaunchOrder(bool automatic_sync) : automatic_(automatic_sync) {}
  CoreOrder& of(uint32_t core);
  void sync(uint32_t core, const SyncEvent& event);
  /// Whether instruction `number` of `pipe` on core `by` is finished before the next one on `at` of core
  /// `core`.
  bool finished(uint32_t by, Pipe pipe, uint32_t number, uint32_t core, Pipe at);

 private:
  bool automatic_;
  std::map<uint32_t, CoreOrder> cores_;
  std::unordered_map<uint64_t, std::vector<Clock>> objects_;
};

/// One number for a core of a launch: AICs and AIVs count apart.
inline uint32_t core_number(const Core& core) { return core.block_idx * 2 + (core.cube ? 1 : 0); }

}  // namespace toprope::check
