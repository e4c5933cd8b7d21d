#include "check/constraints.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "check/overlap.h"
#include "machine/buffers.h"
#include "machine/core_state.h"
#include "machine/queue_report.h"

namespace toprope::check {
namespace {

void report(Core& core, const char* rule, Severity severity, std::string message, std::string cure,
            std::vector<Place> places) {
  Finding f;
  f.check = "constraints";
  f.rule = rule;
  f.severity = severity;
  f.message = std::move(message);
  f.cure = std::move(cure);
  f.places = std::move(places);
  name_block(f, core);
  reporter().add(std::move(f));
}

std::string bytes(const Access& a, uint64_t begin, uint64_t end) {
  const uint64_t base = a.slice.mem == Mem::GM ? a.slice.begin : 0;
  return "bytes " + std::to_string(begin - base) + " to " + std::to_string(end - base) + " of " +
         (a.slice.mem == Mem::GM ? "its GM tensor" : name_of(a.slice.mem));
}

/// Whether elements of dst come from the elements of the same repeat of the sources. Reductions and
/// comparisons write less than a repeat.
bool elementwise(std::string_view name) {
  for (const std::string_view prefix : {"Reduce", "Compare", "GetCmpMask", "SetCmpMask"})
    if (name.starts_with(prefix)) return false;
  return true;
}

void check_overlap(Core& core, const Instruction& instruction, const Access& dst, const Access& src,
                   Site site) {
  const Overlap found = overlap_of(dst, src);  // seldom any, and cheaper to see than names
  if (found.kind == Overlap::None) return;
  if (std::string_view(dst.operand) == src.operand || may_accumulate(instruction.name, dst, src)) return;
  const std::string name = instruction.name;
  const std::string what =
      std::string(dst.operand) + " and " + src.operand + " share " + bytes(dst, found.begin, found.end);
  if (found.kind == Overlap::Partial)
    report(core, "constraints.overlap", Severity::Error,
           name + ": " + what + " in repeat " + std::to_string(found.repeat) +
               ", but are not the same there: what is read may be overwritten already",
           "let dst be exactly the source, or share no byte with it", {{name + " is here", name, site}});
  else
    report(core, "constraints.overlap_across_repeats", Severity::Error,
           name + ": " + what + ": repeat " + std::to_string(found.earlier) + " writes what repeat " +
               std::to_string(found.repeat) + " reads",
           "give dst a buffer of its own, or issue the repeats one by one with PipeBarrier<PIPE_V>() between "
           "them",
           {{name + " is here", name, site}});
}

}  // namespace

void Constraints::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                                 Site site) {
  const std::string_view name = instruction.name;
  if (instruction.pipe == Pipe::S) {
    if (name.starts_with("SetAtomic")) modes_[core.state].atomic = site;
    if (name == "SetMaskCount") modes_[core.state].counter = site;
    if (name == "SetVectorMask" || name == "ResetMask") {
      modes_[core.state].mask_set = name == "SetVectorMask";
      modes_[core.state].overwritten = nullptr;
    }
    return;
  }
  if (instruction.pipe == Pipe::V) check_mask(core, instruction, accesses, site);
  const auto here = [&] { return Place{std::string(name) + " is here", std::string(name), site}; };
  for (const Access& dst : accesses) {
    if (!dst.write) continue;
    if (instruction.pipe == Pipe::V) {
      if (dst.blocks > 1 && dst.block_stride == 0 && !dst.places)
        report(core, "constraints.dst_block_stride", Severity::Error,
               std::string(name) + ": dstBlkStride is 0: all blocks of a repeat go to " +
                   bytes(dst, dst.slice.at, dst.slice.at + dst.run) + ", in no documented order",
               "dstBlkStride is 1 for consecutive blocks; only sources may stand still", {here()});
      else if (elementwise(name))
        for (const Access& src : accesses)
          if (!src.write) check_overlap(core, instruction, dst, src, site);
    } else if (!dst.atomic) {
      if (const Twice twice = written_twice(dst); twice.end)
        report(core, "constraints.written_twice", Severity::Error,
               std::string(name) + ": dst gets " + bytes(dst, twice.begin, twice.end) +
                   " twice in one copy, in no documented order",
               "make the stride or gap of dst at least as large as what is copied at a time", {here()});
    }
  }
}

void Constraints::check_mask(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                             Site site) {
  const auto use = std::exchange(core.state->mask_use, CoreState::MaskUse::None);
  if (use == CoreState::MaskUse::None) return;
  Modes& modes = modes_[core.state];
  const std::string name = instruction.name;
  if (const auto masked = std::ranges::find_if(accesses, [](const Access& a) { return a.asked != 0; });
      masked != accesses.end())
    report(core, "constraints.mask_clamped", Severity::Warning,
           name + ": the mask names " + std::to_string(masked->asked) +
               " elements of dst, more than a repeat holds: only one repeat's take part",
           "give a mask within one repeat (256 bytes of the widest type) and more repeats",
           {{name + " is here", name, site}});
  if (use == CoreState::MaskUse::Overwrites) {
    modes.overwritten = &instruction;
    modes.overwritten_at = site;
  } else if (modes.mask_set && modes.overwritten) {
    const std::string other = modes.overwritten->name;
    report(core, "constraints.mask_overwritten", Severity::Warning,
           name + ": the mask of dst comes from the register, where " + other +
               " has put its own since SetVectorMask (forms with a count end with all elements)",
           "call SetVectorMask again after " + other + ", or give the mask as an argument",
           {{name + " is here", name, site}, {other + " is here", other, modes.overwritten_at}});
  }
}

void Constraints::on_queue(Core& core, const QueueEvent& event, Site site) {
  if (event.kind != QueueEvent::Alloc) return;
  const Buffers& all = core.state->buffers;
  for (uint32_t i = 0; i < all.queues; ++i) {
    const Queue& other = all.queue[i];
    if (&other == event.queue || other.spec.mem != event.buffer.mem) continue;
    for (uint8_t k = 0; k < other.count; ++k) {
      const Block& block = other.blocks[k];
      if (block.state == Block::Free || block.begin >= event.buffer.end || event.buffer.begin >= block.end)
        continue;
      report(core, "constraints.shared_buffer", Severity::Error,
             "AllocTensor: the tensor lies at bytes " + std::to_string(event.buffer.begin) + " to " +
                 std::to_string(event.buffer.end) + " of " + name_of(event.buffer.mem) +
                 ", where a tensor of another queue is still in use (" + describe_queue(other) + ")",
             "call Reset() on the TBufPool that is finished before the one that shares its memory is used; "
             "do not mix "
             "InitBuffer with addresses and without",
             {{"AllocTensor is here", "AllocTensor", site}});
      return;
    }
  }
}

void Constraints::on_remark(Core& core, const Remark& remark, Site site) {
  const std::string word = remark.instruction.substr(0, remark.instruction.find_first_of("<("));
  report(core, remark.rule, remark.open ? Severity::Error : Severity::Warning,
         remark.instruction + ": " + remark.what, remark.cure, {{word + " is here", word, site}});
}

void Constraints::on_block(Core& core, const BlockEvent& event) {
  Modes& modes = modes_[core.state];
  if (event.kind == BlockEvent::Begin) {
    modes = {};
    return;
  }
  if (core.atomic.type != StoreAtomic::None)
    report(core, "constraints.atomic_left_on", Severity::Warning,
           "SetAtomic: the kernel ends while copies into GM are still atomic; on the device the next "
           "kernel's are, too",
           "call DisableDmaAtomic() (or SetAtomicNone()) after the last atomic copy",
           {{"it was switched on here", "SetAtomic", modes.atomic}});
  if (core.mask.counter)
    report(core, "constraints.counter_mode_left_on", Severity::Warning,
           "SetMaskCount: the kernel ends in counter mode; on the device the next kernel's masks are taken "
           "for counts",
           "call SetMaskNorm() and ResetMask() after the last instruction in counter mode",
           {{"it was switched on here", "SetMaskCount", modes.counter}});
}

}  // namespace toprope::check
