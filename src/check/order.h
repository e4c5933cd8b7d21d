// What has happened before what: vector clocks over the pipes of a core, and over cores.
// Rules: Ascend C API, synchronisation inside a core (key features, tables 1-3) and between cores.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/observer.h"

namespace toprope::check {

inline constexpr int kPipes = 8;  // S V M MTE1 MTE2 MTE3 FIX, and one more: whole vectors are cheaper

/// Up to which epoch each pipe is known to be finished. Instructions of a pipe between two points at which
/// others can learn of its progress (flags, barriers, queues) share an epoch: nobody can tell them apart. So
/// a loop without synchronisation costs no more memory than one instruction.
using Clock = std::array<uint32_t, kPipes>;

/// Order inside one core and its knowledge of others.
class CoreOrder {
 public:
  explicit CoreOrder(bool automatic_sync) : automatic_(automatic_sync) {}

  /// An instruction is issued on `pipe`; returns its epoch there.
  uint32_t issue(Pipe pipe) {
    Progress& p = progress_[index(pipe)];
    if (p.noted) {
      ++p.epoch;
      p.noted = false;
    }
    return p.epoch;
  }
  void set_flag(Pipe from, Pipe to, int id);
  void wait_flag(Pipe from, Pipe to, int id);
  void barrier(Pipe pipe);
  /// A queue's buffer changes hands: what `from` has done so far is finished before whoever receives it goes
  /// on.
  void hand_over(uint64_t buffer, Pipe from);
  void receive(uint64_t buffer, Pipe from, Pipe to);

  /// Whether `epoch` of `pipe` on this core is finished before the next instruction on `at`. The scalar unit
  /// does one instruction after the other.
  bool finished(Pipe pipe, uint32_t epoch, Pipe at) const {
    return known_[index(at)][index(pipe)] >= epoch || (pipe == Pipe::S && at == Pipe::S);
  }

  /// The compiler sees this dependence (`at` needs what `by` did in `epoch`) and has put the
  /// wait there: V-V, and S against V, MTE2 and MTE3; on vector cores only, and not with
  /// --cce-auto-sync=off. False when it has not.
  bool wait_as_compiled(Pipe by, uint32_t epoch, Pipe at);

  /// Every pipe goes on only when what `clock` counts is finished.
  void meet(const Clock& clock);

  // Between cores. `remote` counts what this core knows of the others' pipes.
  Clock released(Pipe pipe);
  std::vector<Clock>& remote() { return remote_; }
  const std::vector<Clock>& remote() const { return remote_; }

 private:
  static int index(Pipe pipe) { return static_cast<int>(pipe); }
  void join(Pipe at, const Clock& clock);
  void snapshot(Pipe pipe, Clock& to);
  Clock issued();

  struct Progress {
    uint32_t epoch = 0;
    bool noted = true;  ///< somebody has learned of the epoch: the next instruction begins another
  };
  bool automatic_;
  std::array<Progress, kPipes> progress_;
  std::array<Clock, kPipes> known_{};  // [pipe][other]: finished before the pipe's next instruction
  std::unordered_map<uint32_t, Clock> flags_;
  struct Given {
    uint64_t key;
    Clock clock;
  };
  std::vector<Given> buffers_;  // few
  std::vector<Clock> remote_;
};

/// Order of a launch: every core's, and what synchronises them.
class LaunchOrder {
 public:
  explicit LaunchOrder(bool automatic_sync) : automatic_(automatic_sync) {}
  CoreOrder& of(uint32_t core);
  void sync(uint32_t core, const SyncEvent& event);

 private:
  bool automatic_;
  std::vector<std::unique_ptr<CoreOrder>> cores_;
  std::unordered_map<uint64_t, std::vector<Clock>> objects_;
};

/// One number for a core of a launch: AICs and AIVs count apart.
inline uint32_t core_number(const Core& core) { return core.block_idx * 2 + (core.cube ? 1 : 0); }
inline bool is_cube(uint32_t core_number) { return core_number & 1; }

}  // namespace toprope::check
