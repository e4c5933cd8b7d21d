#include "check/init.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/memory_registry.h"
#include "machine/ranges.h"
#include "toprope/isa/operand.h"

namespace toprope::check {

namespace {

/// DataCopy moves whole DataBlocks: what surrounds a result in its block goes along, and is nobody's mistake.
bool moves_blocks(const Instruction& instruction) { return std::string_view(instruction.name) == "DataCopy"; }

constexpr uint64_t kBlock = isa::kBlockBytes;

}  // namespace

/// What is the same whoever reads device memory.
Finding Init::of_global(const std::string& who, const std::string& operand, Part bytes, Site site) {
  const auto block = memory_registry().find(bytes.begin);
  const uint64_t base = block ? block->base : 0;
  Finding f;
  f.check = "init";
  f.rule = "init.gm";
  f.severity = Severity::Warning;  // harmless where it is padding that nobody looks at
  f.message = who + " reads" + operand + " bytes " + std::to_string(bytes.begin - base) + " to " +
              std::to_string(bytes.end - base) + " of " +
              (block ? describe(*block) : std::string("device memory")) +
              ", which nothing has written since it was allocated";
  f.places = {{who + " reads here", who, site}};
  if (block) f.places.push_back({"the memory was allocated here", "aclrt", block->site});
  return f;
}

void Init::on_block(Core& core, const BlockEvent& event) {
  if (event.kind == BlockEvent::Begin)
    for (auto& memory : cores_.of(core).of) memory.clear();
}

void Init::on_host(const HostEvent& e, Site site) {
  if (e.kind == HostEvent::Allocate && e.guard)
    global_.paint(e.at, e.bytes);
  else if (e.kind == HostEvent::Write || e.kind == HostEvent::Free)
    global_.strike(e.at, e.bytes);
  else if (e.kind == HostEvent::Read)
    if (const Painted::Range range = global_.unwritten(e.at, e.at + e.bytes)) {
      Finding f = of_global(e.api, "", {range.begin, range.end}, site);
      f.cure =
          "write all of it in the kernel, clear the memory with aclrtMemset (aclrtMalloc does not), or copy "
          "less";
      reporter().add(std::move(f));
    }
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
  std::vector<Part> along;
  for (const Access& a : accesses)
    if (!a.write) {
      if (a.slice.mem == Mem::GM)
        along = read_global(core, instruction, a, site);
      else
        read(core, memories, instruction, a, site);
    }
  for (const Access& a : accesses)
    if (a.write && a.slice.mem != Mem::GM) {
      const Bytes left = a.random ? Bytes{State::Random, site} : Bytes{State::Written, nullptr};
      for_each_range(a, [&](uint64_t begin, uint64_t end) {
        memories.of[static_cast<int>(a.slice.mem)].update(begin, end,
                                                          [&](Bytes& b, uint64_t, uint64_t) { b = left; });
      });
      if (!along.empty()) came_along(memories, a, along, site);
    }
}

void Init::came_along(Memories& memories, const Access& dst, const std::vector<Part>& parts, Site site) {
  uint64_t done = 0;
  for_each_range(dst, [&](uint64_t begin, uint64_t end) {
    for (const Part& part : parts) {
      const uint64_t first = std::max(part.begin, done), last = std::min(part.end, done + (end - begin));
      if (first >= last) continue;
      memories.of[static_cast<int>(dst.slice.mem)].update(
          begin + (first - done), begin + (last - done),
          [&](Bytes& b, uint64_t, uint64_t) { b = {State::Unset, site}; });
    }
    done += end - begin;
  });
}

void Init::read(Core& core, Memories& memories, const Instruction& instruction, const Access& a, Site site) {
  struct Missing {
    Part bytes{0, 0};
    Site earlier = nullptr;
  };
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    uint64_t at = begin;
    Missing all[kMissing];
    bool any = false;
    const auto& memory = memories.of[static_cast<int>(a.slice.mem)];
    const auto has_data = [&](uint64_t in) {
      bool found = false;
      memory.look(in / kBlock * kBlock, in / kBlock * kBlock + kBlock,
                  [&](const Bytes& bytes, uint64_t, uint64_t) { found |= bytes.state == State::Written; });
      return found;
    };
    auto missing = [&](uint64_t b, uint64_t e, const Bytes& bytes) {
      if (moves_blocks(instruction)) {
        if (b % kBlock && has_data(b)) b = std::min(e, (b + kBlock - 1) / kBlock * kBlock);
        if (b < e && e % kBlock && has_data(e)) e = std::max(b, e / kBlock * kBlock);
        if (b == e) return;
      }
      Missing& m = all[static_cast<int>(bytes.state)];
      if (m.bytes.end == 0) m.bytes.begin = b;
      m.bytes.end = e;
      if (bytes.site) m.earlier = bytes.site;
      any = true;
    };
    memory.look(begin, end, [&](const Bytes& bytes, uint64_t b, uint64_t e) {
      if (b > at) missing(at, b, {});
      if (bytes.state != State::Written) missing(b, e, bytes);
      at = e;
    });
    if (at < end) missing(at, end, {});
    if (!any) return;
    for (int i = 0; i < kMissing; ++i)
      if (all[i].bytes.end)
        report(core, instruction, a, static_cast<State>(i), all[i].bytes, site, all[i].earlier);
  });
}

void Init::report(Core& core, const Instruction& instruction, const Access& a, State state, Part bytes,
                  Site site, Site earlier) {
  struct Words {
    const char *rule, *what, *cure, *before, *who;
  };
  static constexpr const char* kFill =
      "fill the operand first (DataCopy, Duplicate, an earlier result), or read fewer elements";
  static constexpr Words kWords[kMissing] = {
      {"init.unwritten", ", which nothing has written", kFill, "", ""},
      {"init.recycled", ", which nothing has written since the buffer was freed", kFill,
       "the buffer was freed here", "FreeTensor"},
      {"init.padding", ", which hold random padding",
       "set isPad and paddingValue, call SetPadValue before the copy, or read fewer elements",
       "DataCopyPad padded here, without a value", "DataCopyPad"},
      {"init.gm", ", which came from device memory that nothing has written since it was allocated",
       "copy or clear the whole DataBlock on the host, or read fewer elements", "they were copied here",
       "DataCopy"},
  };
  const Words& words = kWords[static_cast<int>(state)];
  Finding f;
  f.check = "init";
  f.rule = words.rule;
  if (state == State::Unset) f.severity = Severity::Warning;
  f.message = std::string(instruction.name) + " reads " + a.operand + ", bytes " +
              std::to_string(bytes.begin) + " to " + std::to_string(bytes.end) + " of " +
              name_of(a.slice.mem) + words.what;
  f.cure = words.cure;
  f.places = {{std::string(instruction.name) + " reads here", instruction.name, site}};
  if (earlier) f.places.push_back({words.before, words.who, earlier});
  name_block(f, core);
  reporter().add(std::move(f));
}

std::vector<Init::Part> Init::read_global(Core& core, const Instruction& instruction, const Access& a,
                                          Site site) {
  std::vector<Part> along;
  uint64_t done = 0;
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end;) {
      const Painted::Range range = global_.unwritten(at, end);
      if (!range) break;
      // A DataBlock is the least that DataCopy takes: what of it was written is wanted, the rest comes along.
      const uint64_t block = begin + (range.begin - begin) / kBlock * kBlock,
                     next = std::min(end, block + kBlock);
      const Painted::Range in_block = global_.unwritten(block, next);
      if (!moves_blocks(instruction) || (in_block.begin == block && in_block.end == next)) {
        report_global(core, instruction, a, {range.begin, range.end}, site);
        break;
      }
      along.push_back({done + (in_block.begin - begin), done + (in_block.end - begin)});
      at = next;
    }
    done += end - begin;
  });
  return along;
}

void Init::report_global(Core& core, const Instruction& instruction, const Access& a, Part bytes, Site site) {
  const auto block = memory_registry().find(bytes.begin);
  if (reporter().repeated("init.gm", site, block ? block->site : nullptr, core)) return;
  Finding f = of_global(instruction.name, std::string(" ") + a.operand + ",", bytes, site);
  f.cure = "copy the input first, or clear the memory with aclrtMemset: aclrtMalloc does not";
  name_block(f, core);
  reporter().add(std::move(f));
}

}  // namespace toprope::check
