#include "check/race.h"

#include <algorithm>

#include "check/runs.h"
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

}  // namespace

void Race::on_launch(const Launch& launch, bool begins) {
  locals_.clear();
  global_.clear();
  order_.reset();
  if (begins) order_.emplace(launch.automatic_sync);
}

void Race::on_block(Core& core, const BlockEvent& event) {
  if (event.kind == BlockEvent::End)
    locals_.erase(core_number(core));  // another block uses the memories next
}

uint32_t Race::event_of(const Instruction& instruction, Site site) {
  if (const Event& e = events_[last_event_]; e.instruction == &instruction && e.site == site)
    return last_event_;
  const auto [it, fresh] =
      event_ids_.try_emplace({&instruction, site}, static_cast<uint32_t>(events_.size()));
  if (fresh) events_.push_back({&instruction, site});
  return last_event_ = it->second;
}

void Race::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                          Site site) {
  if (!order_) return;
  const uint32_t number_of_core = core_number(core);
  Touch now;
  now.event = event_of(instruction, site);
  now.core = number_of_core;
  now.pipe = instruction.pipe;
  now.number = order_->of(number_of_core).issue(instruction.pipe);
  Local& local = locals_[number_of_core];
  // Reads first: an instruction does not race with itself.
  for (const bool writes : {false, true})
    for (const Access& a : accesses) {
      if (a.write != writes) continue;
      now.atomic = a.atomic;
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        auto visit = [&](Touches& t, uint64_t b, uint64_t e) { touch(core, t, now, a, b, e); };
        if (a.slice.mem == Mem::GM)
          global_.update(begin, end, visit);
        else
          local.memory[static_cast<int>(a.slice.mem)].update(begin, end, visit);
      });
    }
}

void Race::touch(Core& core, Touches& t, const Touch& now, const Access& access, uint64_t begin,
                 uint64_t end) {
  auto unordered = [&](const Touch& earlier) {
    if (!earlier.event ||
        (earlier.core == now.core && earlier.pipe == now.pipe && earlier.number == now.number))
      return false;
    if (order_->finished(earlier.core, earlier.pipe, earlier.number, now.core, now.pipe)) return false;
    return earlier.core != now.core ||
           !order_->of(now.core).wait_as_compiled(earlier.pipe, earlier.number, now.pipe);
  };
  if (!(now.atomic && t.write.atomic) && unordered(t.write))
    report(core, t.write, true, now, access, begin, end);
  if (access.write) {
    for (Touch& read : t.reads)
      // Reads of one pipe are over before its next instruction writes: the pipe takes its instructions in
      // order.
      if (read.event && !(read.core == now.core && read.pipe == now.pipe) && unordered(read))
        report(core, read, false, now, access, begin, end);
    t.write = now;
    for (Touch& read : t.reads) read = {};
    return;
  }
  Touch* slot = nullptr;
  for (Touch& read : t.reads) {
    if (!read.event || (read.core == now.core && read.pipe == now.pipe)) {
      slot = &read;
      break;
    }
  }
  if (!slot) {  // more readers than places: the one that is longest ago is the least likely to matter
    std::move(t.reads + 1, t.reads + Touches::kReaders, t.reads);
    slot = &t.reads[Touches::kReaders - 1];
  }
  *slot = now;
}

void Race::report(Core& core, const Touch& earlier, bool earlier_writes, const Touch& now,
                  const Access& access, uint64_t begin, uint64_t end) {
  const Event &first = events_[earlier.event], &second = events_[now.event];
  const bool writes = access.write, across = earlier.core != now.core;
  Finding f;
  f.check = "race";
  f.rule = earlier_writes ? (writes ? "race.waw" : "race.raw") : "race.war";
  const std::string one = std::string(first.instruction->name) + " (" + name_of(earlier.pipe) + ")",
                    two = std::string(second.instruction->name) + " (" + name_of(now.pipe) + ")";
  f.message = two + (writes ? " writes " : " reads ") + access.operand + ", " +
              range_text(access, begin, end) + ", while " + (across ? "another block's " : "") + one +
              " may still " + (earlier_writes ? "write" : "read") + " them";
  if (across) {
    f.cure =
        writes && earlier_writes
            ? "give each block its own range, accumulate with SetAtomicAdd, or put SyncAll() between the two"
            : "put SyncAll() or a CrossCoreSetFlag/CrossCoreWaitFlag pair between the two";
  } else if (earlier.pipe == now.pipe) {
    f.cure = std::string("put PipeBarrier<") + name_of(now.pipe) + ">() between the two";
  } else {
    const std::string event = flag_between(earlier.pipe, now.pipe);
    f.cure = "put SetFlag<" + event + ">(id) after " + first.instruction->name + " and WaitFlag<" + event +
             ">(id) before " + second.instruction->name +
             ", or pass the tensor through a queue (EnQue, DeQue)";
  }
  f.places = {{two + (writes ? " writes" : " reads") + " here", second.instruction->name, second.site},
              {one + (earlier_writes ? " wrote" : " read") + " here", first.instruction->name, first.site}};
  name_block(f, core);
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
  if (!order_) return;
  CoreOrder& order = order_->of(core_number(core));
  switch (e.kind) {
    case QueueEvent::EnQue:
      order.hand_over(e.buffer.begin, e.flow.from);
      break;
    case QueueEvent::DeQue:
      order.receive(e.buffer.begin, e.flow.from, e.flow.to);
      break;
    case QueueEvent::Free:
      order.hand_over(e.buffer.begin, e.flow.to);
      break;
    case QueueEvent::Alloc:
      order.receive(e.buffer.begin, e.flow.to, e.flow.from);
      break;
    case QueueEvent::Init:
      break;
  }
}

void Race::on_sync(Core& core, const SyncEvent& e, Site) {
  if (order_) order_->sync(core_number(core), e);
}

}  // namespace toprope::check
