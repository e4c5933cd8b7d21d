// Runs the instructions of a core's pipes in another order than the program's, within what flags, queues and
// barriers allow, and the blocks of a launch in another order: what a missing wait changes on the device
// changes here too, and the same seed changes it in the same way.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>

#include "machine/deferral.h"
#include "machine/run.h"

namespace toprope::check {

/// A seeded generator whose numbers are the same everywhere (xorshift64*).
class Dice {
 public:
  explicit Dice(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u | 1) {}
  uint64_t next();
  /// A number below `n`.
  uint32_t below(uint32_t n) { return static_cast<uint32_t>((next() >> 32) * n >> 32); }

 private:
  uint64_t state_;
};

/// The pipes of one core: each in order, one against the other in any order that their waits allow.
class Pipes {
 public:
  Pipes(uint64_t seed, bool automatic_sync);

  void issue(Pipe pipe, std::function<void()> run);
  void set_flag(Pipe from, Pipe to, int id);
  void wait_flag(Pipe from, Pipe to, int id);
  void hand_over(uint64_t buffer, Pipe from);
  void receive(uint64_t buffer, Pipe from, Pipe to);
  /// Everything that `pipe` (or, with ALL, any) was given so far has run.
  void finish(Pipe pipe);
  /// The scalar unit reads or writes memory.
  void scalar();

 private:
  static constexpr int kPipes = 7;
  /// An instruction, or a wait: for `upto` entries of pipe `from` to have run.
  struct Entry {
    std::function<void()> run;
    int from = -1;
    uint64_t upto = 0;
  };
  struct Queue {
    std::deque<Entry> pending;
    uint64_t done = 0;  // entries that have run since the block began
    uint64_t issued() const { return done + pending.size(); }
  };

  void wait(Pipe from, Pipe to, uint64_t upto);
  void run_until(int pipe, uint64_t upto);
  void advance();

  bool automatic_;
  Dice dice_;
  std::array<Queue, kPipes> queue_;
  std::array<uint32_t, kPipes> delay_{};  // of 8 chances to go on, this many are passed over
  std::unordered_map<uint32_t, uint64_t> flags_;
  std::unordered_map<uint64_t, uint64_t> buffers_;
};

/// Installed by TOPROPE_SCHEDULE=<seed>.
class Schedule final : public Observer, public Deferral {
 public:
  explicit Schedule(uint64_t seed) : seed_(seed) {}

  void on_launch(const Launch&, bool begins) override;
  void on_block(Core&, const BlockEvent&) override;
  void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) override;
  void on_flag(Core&, const FlagEvent&, Site) override;
  void on_barrier(Core&, Pipe, Site) override;
  void on_queue(Core&, const QueueEvent&, Site) override;
  void on_sync(Core&, const SyncEvent&, Site) override;

  void defer(Core& core, Pipe pipe, std::function<void()> run) override;
  void finish(Core& core) override;
  uint32_t task_at(uint32_t position, uint32_t tasks) override;

 private:
  Pipes& of(const Core& core);

  uint64_t seed_;
  uint64_t launches_ = 0;
  bool automatic_ = true;
  std::vector<uint32_t> order_;  // of the launch's tasks
  std::map<const Core*, Pipes> cores_;
};

}  // namespace toprope::check
