#include "check/race.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "machine/deferral.h"
#include "machine/handover.h"
#include "machine/ranges.h"
#include "machine/run.h"

namespace toprope::check {
namespace {

std::string flag_between(Pipe from, Pipe to) {
  auto bare = [](Pipe p) { return std::string(name_of(p)).substr(5); };  // PIPE_MTE2 → MTE2
  return "HardEvent::" + bare(from) + "_" + bare(to);
}

std::string range_text(const Access& a, uint64_t begin, uint64_t end) {
  const uint64_t base = a.slice.mem == Mem::GM && a.slice.end ? a.slice.begin : 0;
  return "bytes " + std::to_string(begin - base) + " to " + std::to_string(end - base) +
         (a.slice.mem == Mem::GM && a.slice.end ? " of its GM tensor"
                                                : std::string(" of ") + name_of(a.slice.mem));
}

/// The pieces of a page are too many to keep: neighbours that the same instruction touched become one, from
/// the earliest of their epochs on. That may miss a race, and never makes one up.
bool merge(Touches& into, const Touches& next) {
  const auto same = [](const Touch& a, const Touch& b) {
    return a.event == b.event && a.core == b.core && a.pipe_number == b.pipe_number;
  };
  if (!same(into.write, next.write) || !same(into.overtaken, next.overtaken)) return false;
  for (int i = 0; i < Touches::kAdders; ++i)
    if (!same(into.adds[i], next.adds[i])) return false;
  for (int i = 0; i < Touches::kReaders; ++i)
    if (!same(into.reads[i], next.reads[i])) return false;
  if (into.past != next.past) into.past = 0;
  into.write.epoch = std::min(into.write.epoch, next.write.epoch);
  for (int i = 0; i < Touches::kAdders; ++i)
    into.adds[i].epoch = std::min(into.adds[i].epoch, next.adds[i].epoch);
  for (int i = 0; i < Touches::kReaders; ++i)
    into.reads[i].epoch = std::min(into.reads[i].epoch, next.reads[i].epoch);
  return true;
}

void compact(Intervals<Touches>& page) {
  const size_t before = page.size();
  page.merge(merge);
  if (page.size() > before / 2) page.clear();  // no pattern that repeats: forget
}

/// `past`, and then a read of `a`.
uint32_t and_then(uint32_t past, const Access& a) {
  uint64_t hash = past;
  for (const uint64_t part : {a.slice.at, uint64_t{a.run}, uint64_t{a.blocks}, uint64_t{a.repeats},
                              a.block_stride, a.repeat_stride})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15;
  return static_cast<uint32_t>(hash >> 32) | 1;  // never 0, which is nothing
}

/// Whether the ranges of a write can meet each other.
bool meets_itself(const Access& a) {
  if (a.places) return true;
  const uint64_t row = (a.blocks - 1) * a.block_stride + a.run;
  return (a.blocks > 1 && a.block_stride < a.run) || (a.repeats > 1 && a.repeat_stride < row);
}

}  // namespace

void Race::on_launch(const Launch& launch, bool begins) {
  settle();
  global_.clear();
  cleaned_.reset();
  all_cleaned_ = false;
  order_.reset();
  if (begins) order_.emplace(launch.automatic_sync);
}

void Race::on_block(Core& core, const BlockEvent& event) {
  settle();
  if (event.kind == BlockEvent::Begin)  // another block has used the memories before
    for (auto& memory : locals_.of(core).memory) memory.clear();
  locals_.of(core).past = 0;
}

size_t Race::size() const {
  size_t all = global_.size();
  for (const auto& [core, local] : locals_)
    for (const auto& memory : local->memory) all += memory.size();
  return all;
}

template <class F>
void Race::each_piece(Local& local, const Access& access, F&& f) {
  for_each_range(access, [&](uint64_t begin, uint64_t end) {
    if (access.slice.mem == Mem::GM)
      global_.update(begin, end, f, compact);
    else
      local.memory[static_cast<int>(access.slice.mem)].update(begin, end, f);
  });
}

void Race::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                          Site site) {
  settle();
  if (!order_) return;
  Touch now;
  now.event = events_.of(instruction, site);
  now.core = core_number(core);
  now.pipe_number = static_cast<uint32_t>(instruction.pipe) & 7;
  CoreOrder& order = order_->of(now.core);
  now.epoch = order.issue(instruction.pipe);
  Local& local = locals_.of(core);
  int writes = 0;
  bool apart = true;
  for (const Access& a : accesses) {
    if (a.write) apart &= ++writes == 1 && !meets_itself(a);
  }
  const auto here = [&](const Access& a) {
    Touch touch = now;
    const bool word = is_word(a);
    if (word) {
      order_->sync(now.core, {SyncEvent::Acquire, word_of(a.slice.at), Pipe::S});
      if (all_cleaned_) order_->sync(now.core, {SyncEvent::Acquire, kWords, Pipe::S});
    }
    touch.atomic = a.atomic || word;
    touch.unseen = instruction.pipe == Pipe::S && a.slice.mem == Mem::GM && !a.cached;
    const bool may_be_again =
        a.write && apart && a.slice.mem == Mem::GM && !touch.atomic && !a.cached && !a.places && !deferral();
    return Here{core, order, a, touch, local.past, may_be_again};
  };
  // An instruction does not race with itself: its reads come first, and its writes see each other only when
  // all of them were looked at.
  for (const Access& a : accesses)
    if (!a.write) {
      const Here h = here(a);
      each_piece(local, a, [&](Touches& t, uint64_t begin, uint64_t end) {
        look(h, t, begin, end);
        record(h, false, t);
      });
      if (a.slice.mem == Mem::GM && !h.now.atomic) local.past = and_then(local.past, a);
    }
  if (!apart)
    for (const Access& a : accesses)
      if (a.write) {
        const Here h = here(a);
        each_piece(local, a, [&](Touches& t, uint64_t begin, uint64_t end) { look(h, t, begin, end); });
      }
  for (const Access& a : accesses)
    if (a.write) {
      const Here h = here(a);
      uint64_t stored_before = 0;
      pieces_.clear();
      each_piece(local, a, [&](Touches& t, uint64_t begin, uint64_t end) {
        const bool again = apart && look(h, t, begin, end);
        if (again) stored_before += end - begin;
        record(h, again, t);
      });
      if (!pieces_.empty()) await(h, stored_before);
    }
}

void Race::found(const Here& here, const Touch& earlier, bool earlier_writes, uint64_t begin, uint64_t end) {
  if (here.may_be_again)
    pieces_.push_back({earlier, earlier_writes, begin, end});
  else
    report(here, here.now, here.access.write, earlier, earlier_writes, begin, end);
}

void Race::await(const Here& here, uint64_t stored_before) {
  std::vector<uint8_t> bytes;
  uint64_t all = 0;
  for_each_range(here.access, [&](uint64_t begin, uint64_t end) { all += end - begin; });
  if (stored_before < all) {  // more than the other has stored: not the same store again
    for (const auto& p : pieces_) report(here, here.now, true, p.earlier, p.earlier_writes, p.begin, p.end);
    return;
  }
  bytes.reserve(all);
  for_each_range(here.access, [&](uint64_t begin, uint64_t end) {
    bytes.insert(bytes.end(), reinterpret_cast<const uint8_t*>(begin), reinterpret_cast<const uint8_t*>(end));
  });
  again_ = {&here.core, here.access, here.now, std::move(bytes), pieces_};
}

void Race::settle() {
  if (!again_) return;
  const Again again = std::move(*again_);
  again_.reset();
  const uint8_t* before = again.bytes.data();
  bool same = true;
  for_each_range(again.access, [&](uint64_t begin, uint64_t end) {
    same &= std::memcmp(before, reinterpret_cast<const uint8_t*>(begin), end - begin) == 0;
    before += end - begin;
  });
  if (same) return;
  const Here here{*again.core, order_->of(again.now.core), again.access, again.now};
  for (const auto& p : again.pieces)
    report(here, here.now, true, p.earlier, p.earlier_writes, p.begin, p.end);
}

bool Race::unordered(const Here& here, const Touch& earlier) const {
  if (!earlier.event) return false;
  if (earlier.core != here.now.core) {
    const std::vector<Clock>& remote = here.order.remote();
    return earlier.core >= remote.size() || remote[earlier.core][earlier.pipe_number] < earlier.epoch;
  }
  if (here.order.finished(earlier.pipe(), earlier.epoch, here.now.pipe())) return false;
  return earlier.unseen || here.now.unseen ||
         !here.order.wait_as_compiled(earlier.pipe(), earlier.epoch, here.now.pipe());
}

bool Race::look(const Here& here, Touches& t, uint64_t begin, uint64_t end) {
  const bool writes = here.access.write;
  bool again = false;
  if (!writes && t.overtaken.event) {
    report(here, t.write, true, t.overtaken, true, begin, end);
    t.overtaken = {};
  }
  if (unordered(here, t.write)) {
    again = here.may_be_again && t.write.core != here.now.core && t.past == here.past;
    if (writes && here.access.slice.mem != Mem::GM)
      t.overtaken = t.write;  // of no account unless somebody reads what is left of the two
    else
      found(here, t.write, true, begin, end);
  } else if (writes) {
    t.overtaken = {};
  }
  for (const Touch& add : t.adds) {
    // Whichever of those who stored the same bytes came last: it is all one to who reads them.
    const bool meet = add.atomic ? here.now.atomic : !writes;
    if (meet || !unordered(here, add)) continue;
    again |= here.may_be_again && !add.atomic && add.core != here.now.core && t.past == here.past;
    found(here, add, true, begin, end);
  }
  if (!writes) return false;
  for (const Touch& read : t.reads) {
    // Reads of one pipe are over before its next instruction writes: the pipe takes its instructions in
    // order.
    const bool same_pipe = read.core == here.now.core && read.pipe_number == here.now.pipe_number;
    const bool both_atomic = here.now.atomic && read.atomic;  // words that cores poll
    if (!same_pipe && !both_atomic && unordered(here, read)) found(here, read, false, begin, end);
  }
  return again;
}

void Race::record(const Here& here, bool again, Touches& t) {
  const Touch& now = here.now;
  const bool write = here.access.write;
  if (write && !now.atomic) {
    Touches left;
    left.write = now;
    if (here.access.slice.mem == Mem::GM) left.past = here.past;
    left.overtaken = t.overtaken;
    if (again) {  // the other's store is as good as this one, and may still come
      std::ranges::copy(t.adds, left.adds);
      std::ranges::copy(t.reads, left.reads);
      keep(t.write, left.adds);
    }
    t = left;
    return;
  }
  keep(now, write ? std::span<Touch>(t.adds) : std::span<Touch>(t.reads));
}

void Race::keep(const Touch& now, std::span<Touch> places) {
  for (Touch& place : places)
    if (!place.event || (place.core == now.core && place.pipe_number == now.pipe_number)) {
      place = now;
      return;
    }
  // More of them than places: the one that is longest ago is the least likely to matter.
  std::move(places.begin() + 1, places.end(), places.begin());
  places.back() = now;
}

void Race::report(const Here& here, const Touch& now, bool writes, const Touch& earlier, bool earlier_writes,
                  uint64_t begin, uint64_t end) {
  const Access& access = here.access;
  const auto &first = events_[earlier.event], &second = events_[now.event];
  if (reporter().repeated("race", second.site, first.site, here.core)) return;
  const bool across = earlier.core != now.core;
  Finding f;
  f.check = f.group = "race";
  f.rule = earlier_writes ? (writes ? "race.waw" : "race.raw") : "race.war";
  const std::string one = std::string(first.instruction->name) + " (" + name_of(earlier.pipe()) + ")",
                    two = std::string(second.instruction->name) + " (" + name_of(now.pipe()) + ")";
  f.message = two + (writes ? " writes " : " reads ") + (writes && !access.write ? "dst" : access.operand) +
              ", " + range_text(access, begin, end) + ", while " + (across ? "another block's " : "") + one +
              " may still " + (earlier_writes ? "write" : "read") + " them";
  if (across) {
    f.cure =
        writes && earlier_writes
            ? "give each block its own range, accumulate with SetAtomicAdd, or put SyncAll() between the two"
            : "put SyncAll() or a CrossCoreSetFlag/CrossCoreWaitFlag pair between the two";
  } else if (earlier.pipe() == now.pipe()) {
    f.cure = std::string("put PipeBarrier<") + name_of(now.pipe()) + ">() between the two";
  } else {
    const std::string event = flag_between(earlier.pipe(), now.pipe());
    f.cure = "put SetFlag<" + event + ">(id) after " + first.instruction->name + " and WaitFlag<" + event +
             ">(id) before " + second.instruction->name +
             ", or pass the tensor through a queue (EnQue, DeQue)";
  }
  f.places = {{two + (writes ? " writes" : " reads") + " here", second.instruction->name, second.site},
              {one + (earlier_writes ? " wrote" : " read") + " here", first.instruction->name, first.site}};
  name_block(f, here.core);
  reporter().add(std::move(f));
}

void Race::on_flag(Core& core, const FlagEvent& e, Site) {
  if (!order_) return;
  CoreOrder& order = order_->of(core_number(core));
  if (e.kind == FlagEvent::Set)
    order.set_flag(e.from, e.to, e.id);
  else
    order.wait_flag(e.from, e.to, e.id);
}

void Race::on_barrier(Core& core, Pipe pipe, Site) {
  if (order_) order_->of(core_number(core)).barrier(pipe);
}

void Race::on_queue(Core& core, const QueueEvent& e, Site) {
  const auto passed = handover_of(e);
  if (!order_ || !passed) return;
  CoreOrder& order = order_->of(core_number(core));
  if (passed->gives)
    order.hand_over(passed->buffer, passed->from);
  else
    order.receive(passed->buffer, passed->from, passed->to);
}

void Race::on_cache(Core& core, const CacheEvent& e, Site) {
  if (!order_) return;
  cleaned_.set(word_of(e.at));
  all_cleaned_ |= e.whole;
  const uint32_t self = core_number(core);
  order_->sync(self, {SyncEvent::Release, word_of(e.at), Pipe::S});
  if (all_cleaned_) order_->sync(self, {SyncEvent::Release, kWords, Pipe::S});
}

void Race::on_sync(Core& core, const SyncEvent& e, Site) {
  if (order_) order_->sync(core_number(core), e);
}

}  // namespace toprope::check
