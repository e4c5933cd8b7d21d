#include "check/order.h"

#include <algorithm>

namespace toprope::check {
namespace {

uint32_t key(Pipe from, Pipe to, int id) {
  return static_cast<uint32_t>(from) << 16 | static_cast<uint32_t>(to) << 8 | static_cast<uint32_t>(id);
}

/// Filling and freeing hand a buffer over in opposite directions, so the giver tells them apart.
uint64_t buffer_key(uint64_t buffer, Pipe from) { return buffer << 3 | static_cast<uint64_t>(from); }

void raise(Clock& to, const Clock& from) {
  for (int p = 0; p < kPipes; ++p) to[p] = std::max(to[p], from[p]);
}

}  // namespace

bool CoreOrder::wait_as_compiled(Pipe by, uint32_t epoch, Pipe at) {
  if (!automatic_) return false;
  auto vector_core = [](Pipe p) { return p == Pipe::V || p == Pipe::MTE2 || p == Pipe::MTE3; };
  const bool covered = (by == Pipe::V && at == Pipe::V) || (by == Pipe::S && vector_core(at)) ||
                       (at == Pipe::S && vector_core(by));
  if (!covered) return false;
  Clock clock{};
  clock[index(by)] = epoch;
  Progress& p = progress_[index(by)];
  p.noted |= p.epoch == epoch;
  join(at, clock);
  return true;
}

void CoreOrder::snapshot(Pipe pipe, Clock& to) {
  to = known_[index(pipe)];
  to[index(pipe)] = progress_[index(pipe)].epoch;
  progress_[index(pipe)].noted = true;
}

Clock CoreOrder::issued() {
  Clock clock;
  for (int p = 0; p < kPipes; ++p) {
    clock[p] = progress_[p].epoch;
    progress_[p].noted = true;
  }
  return clock;
}

void CoreOrder::join(Pipe at, const Clock& clock) {
  raise(known_[index(at)], clock);
  if (at != Pipe::S) return;
  // What the scalar unit has waited for is finished before it issues anything more, to any pipe. Its own
  // stores are not: those need an S_x flag.
  Clock others = clock;
  others[index(Pipe::S)] = 0;
  for (Clock& known : known_) raise(known, others);
}

void CoreOrder::set_flag(Pipe from, Pipe to, int id) { snapshot(from, flags_[key(from, to, id)]); }

void CoreOrder::wait_flag(Pipe from, Pipe to, int id) {
  if (const auto it = flags_.find(key(from, to, id)); it != flags_.end()) join(to, it->second);
}

void CoreOrder::barrier(Pipe pipe) {
  if (pipe != Pipe::ALL) {
    snapshot(pipe, known_[index(pipe)]);
    return;
  }
  const Clock all = issued();
  for (Clock& known : known_) known = all;
}

void CoreOrder::hand_over(uint64_t buffer, Pipe from) {
  const uint64_t key = buffer_key(buffer, from);
  auto given = std::ranges::find(buffers_, key, &Given::key);
  if (given == buffers_.end()) given = buffers_.insert(given, {key, {}});
  snapshot(from, given->clock);
}

void CoreOrder::receive(uint64_t buffer, Pipe from, Pipe to) {
  const auto given = std::ranges::find(buffers_, buffer_key(buffer, from), &Given::key);
  if (given != buffers_.end()) join(to, given->clock);
}

Clock CoreOrder::released(Pipe pipe) {
  if (pipe == Pipe::ALL) return issued();
  Clock clock;
  snapshot(pipe, clock);
  return clock;
}

CoreOrder& LaunchOrder::of(uint32_t core) {
  if (cores_.size() <= core) cores_.resize(core + 1);
  if (!cores_[core]) cores_[core] = std::make_unique<CoreOrder>(automatic_ && !is_cube(core));
  return *cores_[core];
}

void CoreOrder::meet(const Clock& clock) {
  for (Clock& known : known_) raise(known, clock);
}

void LaunchOrder::sync(uint32_t core, const SyncEvent& event) {
  CoreOrder& own = of(core);
  constexpr size_t kMost = 4096;  // words in GM beyond these share an order: that may miss a race, no more
  const bool fresh = objects_.size() >= kMost && !objects_.contains(event.object);
  std::vector<Clock>& object =
      objects_[fresh && !(event.object >> 60) ? event.object / 32 % kMost : event.object];
  auto raise_all = [](std::vector<Clock>& to, const std::vector<Clock>& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (size_t i = 0; i < from.size(); ++i) raise(to[i], from[i]);
  };
  if (event.kind == SyncEvent::Release) {
    constexpr uint64_t kRounds = 0xfffffff, kOld = 16;
    if (event.object >> 60 && (event.object & kRounds) >= kOld) objects_.erase(event.object - kOld);
    raise_all(object, own.remote());
    if (object.size() <= core) object.resize(core + 1);
    raise(object[core], own.released(event.pipe));
  } else {
    raise_all(own.remote(), object);
    // What the core itself brought to the meeting is done as well, on every pipe.
    if (object.size() > core) own.meet(object[core]);
  }
}

}  // namespace toprope::check
