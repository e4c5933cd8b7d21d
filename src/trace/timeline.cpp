#include "trace/timeline.h"

#include <algorithm>

namespace toprope::trace {
namespace {

void raise(Moment& to, const Moment& by) {
  if (by.at > to.at) to = by;
}

}  // namespace

void Path::add(const Path& before) {
  for (int p = 0; p < kPipes; ++p) pipe[p] += before.pipe[p];
  sync += before.sync;
  shared += before.shared;
  unknown += before.unknown;
  place.resize(std::max(place.size(), before.place.size()));
  for (size_t i = 0; i < before.place.size(); ++i) {
    place[i].own += before.place[i].own;
    for (int e = 0; e < kEdges; ++e) place[i].held[e] += before.place[i].held[e];
  }
}

void Timeline::begin(Cycles at, double share, double catch_up) {
  began_ = gm_clock_ = at;
  share_ = share;
  credit_ = catch_up / share;
  issue_ = {at, kNone};
  origin_ = {issue_, kNone, Edge::Begin};
  free_.fill({at, kNone});
  done_.fill({at, kNone});
  hold_.fill({{at, kNone}, kNone, Edge::Begin});
  busy_.fill(0);
  // Blocks can be short: only what the last one used is made new.
  for (int p = 0; p < kPipes; ++p)
    if (issued_[p]) starts_[p].fill(0);
  issued_.fill(0);
  if (flags_used_) flags_.fill({});
  flags_used_ = false;
  buffers_.clear();
  count_ = 0;
}

uint32_t Timeline::add(const Event& e) {
  const auto number = static_cast<uint32_t>(count_++);
  if (ring_.size() < kRing && number == ring_.size())
    ring_.push_back(e);
  else
    ring_[number % kRing] = e;
  return number;
}

Moment Timeline::done(Pipe pipe) const {
  if (pipe == Pipe::S) return issue_;
  if (pipe != Pipe::ALL) return done_[index(pipe)];
  Moment all = issue_;
  for (const Moment& m : done_) raise(all, m);
  return all;
}

void Timeline::stall(const Hold& h) {
  if (h.until.at <= issue_.at) return;
  issue_ = h.until;
  origin_ = h;
}

/// The scalar unit came last: what it waited for counts while its own work since then is short.
void Timeline::by_scalar(Event& e) const {
  constexpr Cycles kShort = 32;
  const Cycles own = issue_.at - origin_.until.at;
  e.by = origin_.until.event;
  e.scalar = static_cast<float>(own);
  e.wait = own <= kShort ? origin_.wait : kNone;
  e.edge = e.wait == kNone ? Edge::Issue : origin_.edge;
}

void Timeline::run(Pipe pipe, const Work& work, double gm_bytes, uint32_t place) {
  const int p = index(pipe);
  if (pipe == Pipe::S) {
    Event e;
    e.start = issue_.at;
    by_scalar(e);
    e.free = e.done = issue_.at + work.busy;
    e.place = place;
    busy_[p] += work.busy;
    const uint32_t number = add(e);
    issue_ = {e.done, number};
    origin_ = {issue_, kNone, Edge::Issue};
    return;
  }
  // A full queue holds the scalar unit up until the oldest instruction in it has started.
  uint32_t& nth = issued_[p];
  Cycles& slot = starts_[p][nth++ % kDepth];
  if (slot > issue_.at) stall({{slot, free_[p].event}, kNone, Edge::Issue});
  busy_[index(Pipe::S)] += rates().issue;
  issue_.at += rates().issue;

  Event e;
  e.pipe = pipe;
  e.place = place;
  e.start = free_[p].at;
  e.by = free_[p].event;
  e.edge = Edge::Order;
  if (const Hold& h = hold_[p]; h.until.at > e.start) {
    e.start = h.until.at;
    e.by = h.until.event;
    e.wait = h.wait;
    e.edge = h.edge;
  }
  if (issue_.at > e.start) {
    e.start = issue_.at;
    by_scalar(e);
  }
  e.held = static_cast<float>(e.start - free_[p].at);
  slot = e.start;
  e.free = e.start + work.busy;
  if (gm_bytes > 0) {
    gm_clock_ = std::max(gm_clock_, e.start - credit_) + gm_bytes / share_;
    if (gm_clock_ > e.free) {
      e.free = gm_clock_;
      e.shared = true;
    }
  }
  e.done = e.free + work.late;
  busy_[p] += e.free - e.start;
  const uint32_t number = add(e);
  free_[p] = {e.free, number};
  raise(done_[p], {e.done, number});
}

void Timeline::set_flag(Pipe from, Pipe to, int id) {
  issue_.at += rates().issue;
  flags_[flag(from, to, id)] = done(from);
  flags_used_ = true;
}

void Timeline::hold(Pipe pipe, const Hold& h) {
  if (pipe == Pipe::S || pipe == Pipe::ALL) stall(h);
  for (int p = 0; p < kPipes; ++p)
    if ((pipe == Pipe::ALL || p == index(pipe)) && h.until.at > hold_[p].until.at) hold_[p] = h;
}

void Timeline::wait_flag(Pipe from, Pipe to, int id, uint32_t place) {
  issue_.at += rates().issue;
  hold(to, {flags_[flag(from, to, id)], place, Edge::Flag});
}

void Timeline::barrier(Pipe pipe, uint32_t place) {
  issue_.at += rates().issue;
  const Pipe of = pipe == Pipe::S ? Pipe::ALL : pipe;  // DataSyncBarrier waits for every access
  hold(of, {done(of), place, Edge::Barrier});
}

void Timeline::give(uint64_t buffer, Pipe by) {
  issue_.at += rates().issue;
  const uint64_t key = buffer << 3 | static_cast<uint64_t>(by);
  for (Buffer& b : buffers_)
    if (b.key == key) {
      b.given = done(by);
      return;
    }
  buffers_.push_back({key, done(by)});
}

void Timeline::take(uint64_t buffer, Pipe by, Pipe to, uint32_t place) {
  issue_.at += rates().issue;
  const uint64_t key = buffer << 3 | static_cast<uint64_t>(by);
  for (const Buffer& b : buffers_)
    if (b.key == key) return hold(to, {b.given, place, Edge::Queue});
}

void Timeline::acquire(Cycles at, uint32_t place) {
  issue_.at += rates().issue;
  const Moment own = done(Pipe::ALL);
  if (at <= issue_.at) return;
  Event e;
  e.start = std::min(own.at, at);
  e.by = own.event;
  e.free = e.done = at;
  e.place = place;
  e.edge = Edge::Cross;
  e.waiting = true;
  const uint32_t number = add(e);
  hold(Pipe::ALL, {{at, number}, place, Edge::Cross});
}

Path Timeline::path(size_t places) {
  Path path;
  path.place.resize(places);
  const Moment last = done(Pipe::ALL);
  Cycles t = last.at;
  uint32_t number = last.event;
  if (last.at == issue_.at) {
    path.pipe[index(Pipe::S)] += issue_.at - origin_.until.at;
    t = origin_.until.at;
  }
  while (number != kNone && remembers(number)) {
    Event& e = event(number);
    e.critical = true;
    const Cycles part = std::max(0.0, t - e.start);
    const bool waits = e.waiting;
    (waits ? path.sync : path.pipe[index(e.pipe)]) += part;
    if (e.shared) path.shared += part;
    path.place[e.place].own += part;
    if (e.wait != kNone && e.by != kNone) path.place[e.wait].held[static_cast<int>(e.edge)] += e.held;
    t = std::min(t, e.start);
    if (e.scalar > 0) {
      const Cycles scalar = std::min<Cycles>(e.scalar, t - began_);
      path.pipe[index(Pipe::S)] += scalar;
      t -= scalar;
    }
    number = e.by;
  }
  // What is left is the scalar unit's start, or lies before the oldest event that is remembered.
  (number == kNone ? path.pipe[index(Pipe::S)] : path.unknown) += std::max(0.0, t - began_);
  return path;
}

}  // namespace toprope::trace
