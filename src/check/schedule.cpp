#include "check/schedule.h"

#include <algorithm>
#include <numeric>

#include "machine/handover.h"

namespace toprope::check {
namespace {

/// What a pipe's queue holds at most before its first entry runs, as on the device (Ascend C guide, hardware
/// constraints: 32 entries for the cube's pipes).
constexpr size_t kDepth = 32;

int index(Pipe pipe) { return static_cast<int>(pipe); }

uint32_t flag_key(Pipe from, Pipe to, int id) {
  return static_cast<uint32_t>(from) << 16 | static_cast<uint32_t>(to) << 8 | static_cast<uint32_t>(id);
}

uint64_t buffer_key(uint64_t buffer, Pipe from) { return buffer << 3 | static_cast<uint64_t>(from); }

}  // namespace

uint64_t Dice::next() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1du;
}

Pipes::Pipes(uint64_t seed, bool automatic_sync) : automatic_(automatic_sync), dice_(seed) {
  for (uint32_t& delay : delay_) delay = dice_.below(9);  // 8: only when something waits for it
}

void Pipes::issue(Pipe pipe, std::function<void()> run) {
  if (pipe == Pipe::S || pipe == Pipe::ALL) return run();
  Queue& queue = queue_[index(pipe)];
  queue.pending.push_back({std::move(run)});
  if (queue.pending.size() > kDepth) run_until(index(pipe), queue.done + 1);
  advance();
}

/// Lets pipes go on that no wait holds, as the dice will.
void Pipes::advance() {
  const auto first = static_cast<int>(dice_.below(kPipes));
  for (int i = 0; i < kPipes; ++i) {
    const int pipe = (first + i) % kPipes;
    while (!queue_[pipe].pending.empty() && dice_.below(8) >= delay_[pipe]) {
      const Entry& head = queue_[pipe].pending.front();
      if (head.from >= 0 && queue_[head.from].done < head.upto) break;
      run_until(pipe, queue_[pipe].done + 1);
    }
  }
}

void Pipes::run_until(int pipe, uint64_t upto) {
  Queue& queue = queue_[pipe];
  while (queue.done < upto) {
    // Waits point back in the program's order, so this ends.
    const Entry entry = std::move(queue.pending.front());
    queue.pending.pop_front();
    if (entry.from >= 0) run_until(entry.from, entry.upto);
    ++queue.done;
    if (entry.run) entry.run();
  }
}

void Pipes::wait(Pipe from, Pipe to, uint64_t upto) {
  if (from == Pipe::S || from == Pipe::ALL) return;  // the scalar unit has done what came before
  if (to == Pipe::S) return run_until(index(from), upto);
  if (from != to) queue_[index(to)].pending.push_back({{}, index(from), upto});
}

void Pipes::set_flag(Pipe from, Pipe to, int id) {
  flags_[flag_key(from, to, id)] = queue_[index(from)].issued();
}

void Pipes::wait_flag(Pipe from, Pipe to, int id) {
  if (const auto it = flags_.find(flag_key(from, to, id)); it != flags_.end()) wait(from, to, it->second);
}

void Pipes::hand_over(uint64_t buffer, Pipe from) {
  buffers_[buffer_key(buffer, from)] = queue_[index(from)].issued();
}

void Pipes::receive(uint64_t buffer, Pipe from, Pipe to) {
  if (const auto it = buffers_.find(buffer_key(buffer, from)); it != buffers_.end())
    wait(from, to, it->second);
}

void Pipes::finish(Pipe pipe) {
  if (pipe != Pipe::ALL) return run_until(index(pipe), queue_[index(pipe)].issued());
  for (int p = 0; p < kPipes; ++p) run_until(p, queue_[p].issued());
}

void Pipes::scalar() {
  // The compiler puts waits between the scalar unit and these pipes (see CoreOrder::wait_as_compiled).
  if (!automatic_) return;
  for (const Pipe pipe : {Pipe::V, Pipe::MTE2, Pipe::MTE3}) finish(pipe);
}

void Schedule::on_launch(const Launch& launch, bool begins) {
  cores_.clear();
  order_.clear();
  if (!begins) return;
  ++launches_;
  automatic_ = launch.automatic_sync;
  order_.resize(launch.blocks * (launch.cubes + launch.vectors));
  std::iota(order_.begin(), order_.end(), 0u);
  Dice dice(seed_ + launches_);
  for (size_t i = order_.size(); i > 1; --i)
    std::swap(order_[i - 1], order_[dice.below(static_cast<uint32_t>(i))]);
}

Pipes& Schedule::of(const Core& core) {
  if (const auto it = cores_.find(&core); it != cores_.end()) return it->second;
  // Of what identifies the core, not of its address: the same seed must do the same.
  const uint64_t seed = ((seed_ * 1000003 + launches_) * 1000003 + core.block_idx) * 2 + core.cube;
  return cores_.try_emplace(&core, seed, automatic_).first->second;
}

void Schedule::on_block(Core& core, const BlockEvent& event) {
  if (event.kind == BlockEvent::End) finish(core);
  cores_.erase(&core);  // a block that failed leaves its pipes behind
}

void Schedule::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                              Site) {
  if (instruction.pipe == Pipe::S && !accesses.empty()) of(core).scalar();
}

void Schedule::on_flag(Core& core, const FlagEvent& e, Site) {
  Pipes& pipes = of(core);
  if (e.from == Pipe::ALL || e.to == Pipe::ALL) return pipes.finish(Pipe::ALL);
  if (e.kind == FlagEvent::Set)
    pipes.set_flag(e.from, e.to, e.id);
  else
    pipes.wait_flag(e.from, e.to, e.id);
}

void Schedule::on_barrier(Core& core, Pipe pipe, Site) {
  // A pipe is in order by itself; only a barrier of all pipes orders one against the other.
  if (pipe == Pipe::ALL) of(core).finish(Pipe::ALL);
}

void Schedule::on_queue(Core& core, const QueueEvent& e, Site) {
  const auto passed = handover_of(e);
  if (!passed) return;
  if (passed->gives)
    of(core).hand_over(passed->buffer, passed->from);
  else
    of(core).receive(passed->buffer, passed->from, passed->to);
}

void Schedule::on_sync(Core& core, const SyncEvent& e, Site) {
  if (e.kind == SyncEvent::Release) of(core).finish(e.pipe);
}

void Schedule::defer(Core& core, Pipe pipe, std::function<void()> run) {
  of(core).issue(pipe, std::move(run));
}

void Schedule::finish(Core& core) { of(core).finish(Pipe::ALL); }

uint32_t Schedule::task_at(uint32_t position, uint32_t tasks) {
  return order_.size() == tasks ? order_[position] : position;
}

}  // namespace toprope::check
