#include "check/bounds.h"

#include <algorithm>
#include <cstring>

#include "machine/ranges.h"
#include "machine/run.h"

namespace toprope::check {
namespace {

constexpr unsigned char kPaint = 0xA7;
constexpr size_t kRecent = 8;
constexpr uint64_t kBeside = 512;     // so near to a living block it is that one's overrun
constexpr uint64_t kReach = 1 << 20;  // how far from an allocation an address still counts as an overrun

/// From the first to one past the last byte, as if every element took part: never too small.
uint64_t reach(const Access& a) {
  const uint64_t last = a.places ? a.places[a.blocks - 1] : (a.blocks - 1) * a.block_stride;
  return (a.repeats - 1) * a.repeat_stride + last + a.run;
}

std::string bytes_text(uint64_t n) { return std::to_string(n) + (n == 1 ? " byte" : " bytes"); }

Finding finding(Core& core, const char* rule, const Instruction& instruction, const Access& a, Site site) {
  Finding f;
  f.check = f.group = "bounds";
  f.rule = rule;
  f.message = std::string(instruction.name) + (a.write ? " writes " : " reads ") + a.operand;
  f.places = {
      {std::string(instruction.name) + (a.write ? " writes" : " reads") + " here", instruction.name, site}};
  name_block(f, core);
  return f;
}

}  // namespace

const MemoryBlock* Bounds::block_of(uint64_t at) {
  for (size_t i = 0; i < recent_.size(); ++i)
    if (recent_[i].contains(at)) {
      if (i) std::swap(recent_[i], recent_[i - 1]);
      return &recent_[i ? i - 1 : 0];
    }
  const auto block = memory_registry().find(at);
  if (!block) return nullptr;
  if (recent_.size() == kRecent) recent_.pop_back();
  recent_.insert(recent_.begin(), *block);
  return &recent_.front();
}

void Bounds::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                            Site site) {
  for (const Access& a : accesses) {
    if (a.slice.mem != Mem::GM)
      check_local(core, instruction, a, site);
    else if (runtime_in_use_)
      check_global(core, instruction, a, site);
  }
}

void Bounds::check_local(Core& core, const Instruction& instruction, const Access& a, Site site) {
  if (a.slice.at >= a.slice.begin && a.slice.at + reach(a) <= a.slice.end) return;
  const Range range = extent(a);
  if (range.begin >= range.end || (range.begin >= a.slice.begin && range.end <= a.slice.end)) return;
  Finding f = finding(core, "bounds.local", instruction, a, site);
  f.message += ", bytes " + std::to_string(range.begin) + " to " + std::to_string(range.end) + " of " +
               name_of(a.slice.mem) + ", but its tensor has the bytes " + std::to_string(a.slice.begin) +
               " to " + std::to_string(a.slice.end) + " only";
  f.cure = "make the buffer larger, or count, mask, repeats or strides smaller";
  reporter().add(std::move(f));
}

void Bounds::check_global(Core& core, const Instruction& instruction, const Access& a, Site site) {
  const MemoryBlock* block = block_of(a.slice.at);
  if (block && block->kind != MemoryKind::Host && a.slice.at + reach(a) <= block->base + block->size) return;
  const Range range = extent(a);
  if (range.begin >= range.end) return;
  if (block && block->kind == MemoryKind::Mapped) {  // neighbours form one range
    uint64_t end = block->base + block->size;
    while (end < range.end) {
      const auto next = memory_registry().find(end);
      if (!next || next->kind != MemoryKind::Mapped) break;
      end = next->base + next->size;
    }
    if (end >= range.end) return;
  }
  if (reporter().repeated("bounds", site, block ? block->site : nullptr, core)) return;
  if (block && block->kind == MemoryKind::Host) {
    Finding f = finding(core, "bounds.host", instruction, a, site);
    f.message += ", which is " + describe(*block) + ": the device cannot reach it";
    f.cure = "copy the data to device memory first, or map the host memory with aclrtHostRegister";
    f.places.push_back({"the host memory was allocated here", block->site ? "aclrt" : "", block->site});
    reporter().add(std::move(f));
    return;
  }
  if (block) {
    const uint64_t end = block->base + block->size;
    Finding f = finding(core, "bounds.gm", instruction, a, site);
    f.message += ", bytes " + std::to_string(range.begin - block->base) + " to " +
                 std::to_string(range.end - block->base) + " of " + describe(*block) + ": " +
                 bytes_text(range.end - end) + " too many";
    f.cure =
        "allocate more, or let the last block and tile take the rest only (DataCopyPad moves a tail exactly)";
    f.places.push_back({"the memory was allocated here", "aclrt", block->site});
    reporter().add(std::move(f));
    return;
  }
  const auto beside = memory_registry().before(range.begin, kBeside);
  if (const auto freed = memory_registry().removed(range.begin); freed && !beside) {
    Finding f = finding(core, "bounds.freed", instruction, a, site);
    f.message += ", which lies in " + describe(*freed) + " that is freed";
    f.cure = "synchronise the stream before the memory is freed, and free it after its last use";
    f.places.push_back({"the memory was freed here", "aclrtFree", freed->freed});
    f.places.push_back({"and had been allocated here", "aclrt", freed->site});
    reporter().add(std::move(f));
    return;
  }
  if (const auto before = memory_registry().before(range.begin, kReach)) {
    Finding f = finding(core, "bounds.gm", instruction, a, site);
    f.message += ", " + bytes_text(range.begin - before->base - before->size) + " behind the end of " +
                 describe(*before);
    f.cure = "allocate more, or check the offset from the block's index";
    f.places.push_back({"the memory was allocated here", "aclrt", before->site});
    reporter().add(std::move(f));
    return;
  }
  Finding f = finding(core, "bounds.host", instruction, a, site);
  f.message +=
      ", which is no device memory: a variable or the heap of the host, or a pointer that is not set";
  f.cure = "pass structures by value, and data through memory of aclrtMalloc";
  reporter().add(std::move(f));
}

void Bounds::on_host(const HostEvent& e, Site) {
  if ((e.kind != HostEvent::Allocate && e.kind != HostEvent::Free) || e.guard == 0) return;
  std::lock_guard lock(mutex_);
  if (e.kind == HostEvent::Allocate) {
    std::memset(reinterpret_cast<void*>(e.at - e.guard), kPaint, e.guard);
    std::memset(reinterpret_cast<void*>(e.at + e.bytes), kPaint, e.guard);
    guarded_[e.at] = {e.bytes, e.guard};
    return;
  }
  if (const auto found = guarded_.find(e.at); found != guarded_.end()) {
    check_guards(found->first, found->second, {});
    guarded_.erase(found);
  }
}

void Bounds::check_guards(uint64_t at, const Guarded& block, std::string_view kernel) {
  const auto look = [&](uint64_t from, bool behind) {
    auto* bytes = reinterpret_cast<unsigned char*>(from);
    unsigned char wrong = 0;  // without a branch inside: the compiler makes vectors of it
    for (uint64_t i = 0; i < block.guard; ++i) wrong |= bytes[i] ^ kPaint;
    if (!wrong) return;
    uint64_t distance = 0;  // of the nearest damage from the block
    while (bytes[behind ? distance : block.guard - 1 - distance] == kPaint) ++distance;
    const std::string who = kernel.empty() ? "something that ran before it was freed"
                                           : "kernel " + std::string(kernel) + ", or the host meanwhile,";
    Finding f;
    f.check = "bounds";
    f.rule = "bounds.guard";
    f.message = who + " wrote " + (distance ? bytes_text(distance) + " " : "right ") +
                (behind ? "behind" : "in front of") + " device memory of " + bytes_text(block.bytes) +
                ", through a raw pointer and not by an instruction";
    f.cure = "check the index of the __gm__ pointer; GetValue and SetValue of a GlobalTensor name their line";
    if (const auto owner = memory_registry().find(at))
      f.places.push_back({"the memory was allocated here", "aclrt", owner->site});
    reporter().add(std::move(f));
    std::memset(bytes, kPaint, block.guard);
  };
  look(at - block.guard, false);
  look(at + block.bytes, true);
}

void Bounds::on_launch(const Launch& launch, bool begins) {
  recent_.clear();
  std::lock_guard lock(mutex_);
  if (begins) {
    runtime_in_use_ = memory_registry().has_device_memory();
    return;
  }
  for (const auto& [at, block] : guarded_) check_guards(at, block, launch.kernel);
}

}  // namespace toprope::check
