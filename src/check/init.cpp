#include "check/init.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/memory_registry.h"
#include "machine/ranges.h"

namespace toprope::check {

void Init::on_block(Core& core, const BlockEvent& event) {
  if (event.kind == BlockEvent::Begin)
    for (auto& memory : cores_.of(core).of) memory.clear();
}

void Init::on_host(const HostEvent& e, Site) {
  if (e.kind == HostEvent::Allocate && e.guard)
    global_.paint(e.at, e.bytes);
  else if (e.kind == HostEvent::Write || e.kind == HostEvent::Free)
    global_.strike(e.at, e.bytes);
}

void Init::on_queue(Core& core, const QueueEvent& event, Site site) {
  if (event.kind != QueueEvent::Free) return;
  // The next tensor in this buffer starts with what is there now, which on the device may be anything.
  cores_.of(core).of[static_cast<int>(event.buffer.mem)].update(
      event.buffer.begin, event.buffer.end,
      [&](Bytes& b, uint64_t, uint64_t) { b = {State::Recycled, site}; });
}

void Init::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                          Site site) {
  Memories& memories = cores_.of(core);
  for (const Access& a : accesses)
    if (!a.write) {
      if (a.slice.mem == Mem::GM)
        read_global(core, instruction, a, site);
      else
        read(core, memories, instruction, a, site);
    }
  for (const Access& a : accesses)
    if (a.write && a.slice.mem != Mem::GM)
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        memories.of[static_cast<int>(a.slice.mem)].update(
            begin, end, [](Bytes& b, uint64_t, uint64_t) { b = {State::Written, nullptr}; });
      });
}

namespace {

/// DataCopy moves whole DataBlocks: what surrounds a result in its block goes along, and is nobody's mistake.
bool moves_blocks(const Instruction& instruction) { return std::string_view(instruction.name) == "DataCopy"; }

constexpr uint64_t kBlock = 32;

}  // namespace

void Init::read(Core& core, Memories& memories, const Instruction& instruction, const Access& a, Site site) {
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    uint64_t at = begin, bad_begin = 0, bad_end = 0;
    Site freed = nullptr;
    const auto& memory = memories.of[static_cast<int>(a.slice.mem)];
    const auto has_data = [&](uint64_t in) {
      bool found = false;
      memory.look(in / kBlock * kBlock, in / kBlock * kBlock + kBlock,
                  [&](const Bytes& bytes, uint64_t, uint64_t) { found |= bytes.state == State::Written; });
      return found;
    };
    auto missing = [&](uint64_t b, uint64_t e, Site where) {
      if (moves_blocks(instruction)) {
        if (b % kBlock && has_data(b)) b = std::min(e, (b + kBlock - 1) / kBlock * kBlock);
        if (b < e && e % kBlock && has_data(e)) e = std::max(b, e / kBlock * kBlock);
        if (b == e) return;
      }
      if (bad_end == 0) bad_begin = b;
      bad_end = e;
      if (where) freed = where;
    };
    memory.look(begin, end, [&](const Bytes& bytes, uint64_t b, uint64_t e) {
      if (b > at) missing(at, b, nullptr);
      if (bytes.state != State::Written) missing(b, e, bytes.freed);
      at = e;
    });
    if (at < end) missing(at, end, nullptr);
    if (bad_end == 0) return;
    Finding f;
    f.check = "init";
    f.rule = freed ? "init.recycled" : "init.unwritten";
    f.message =
        std::string(instruction.name) + " reads " + a.operand + ", bytes " + std::to_string(bad_begin) +
        " to " + std::to_string(bad_end) + " of " + name_of(a.slice.mem) +
        (freed ? ", which nothing has written since the buffer was freed" : ", which nothing has written");
    f.cure = "fill the operand first (DataCopy, Duplicate, an earlier result), or read fewer elements";
    f.places = {{std::string(instruction.name) + " reads here", instruction.name, site}};
    if (freed) f.places.push_back({"the buffer was freed here", "FreeTensor", freed});
    name_block(f, core);
    reporter().add(std::move(f));
  });
}

void Init::read_global(Core& core, const Instruction& instruction, const Access& a, Site site) {
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    const Painted::Range range = global_.unwritten(begin, end);
    if (!range) return;
    const auto block = memory_registry().find(range.begin);
    if (reporter().repeated("init.gm", site, block ? block->site : nullptr, core)) return;
    const uint64_t base = block ? block->base : 0;
    Finding f;
    f.check = "init";
    f.rule = "init.gm";
    f.severity = Severity::Warning;  // harmless where it is padding that nobody looks at
    f.message = std::string(instruction.name) + " reads " + a.operand + ", bytes " +
                std::to_string(range.begin - base) + " to " + std::to_string(range.end - base) + " of " +
                (block ? describe(*block) : std::string("device memory")) +
                ", which nothing has written since it was allocated";
    f.cure = "copy the input first, or clear the memory with aclrtMemset: aclrtMalloc does not";
    f.places = {{std::string(instruction.name) + " reads here", instruction.name, site}};
    if (block) f.places.push_back({"the memory was allocated here", "aclrt", block->site});
    name_block(f, core);
    reporter().add(std::move(f));
  });
}

}  // namespace toprope::check
