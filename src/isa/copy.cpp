// DataCopy: consecutive bytes, and blocks with gaps.
#include "toprope/isa/copy.h"

#include <string>

#include "isa/copy_runs.h"
#include "machine/remark.h"

namespace toprope::isa {
namespace {

constexpr Instruction kIn{"DataCopy", Pipe::MTE2}, kOut{"DataCopy", Pipe::MTE3}, kWithin{"DataCopy", Pipe::V};

/// The instruction that serves a path, or a fault.
const Instruction& path(Core& core, Mem dst, Mem src, Site site) {
  const bool dst_near = dst == Mem::UB || dst == Mem::L1, src_near = src == Mem::UB || src == Mem::L1;
  if (src == Mem::GM && dst_near) return kIn;
  if (dst == Mem::GM && src_near) return kOut;
  if (dst == Mem::UB && src == Mem::UB) return kWithin;
  refuse(core, "DataCopy", std::string("there is no path from ") + name_of(src) + " to " + name_of(dst),
         "this form copies GM to UB or L1, UB or L1 to GM, and UB to UB", site);
}

/// What an address must be aligned to: local memories 32 bytes; GM the element, or nothing where the partner
/// is L1.
uint32_t alignment(Mem mem, Mem partner, uint32_t element) {
  return mem != Mem::GM ? kBlockBytes : partner == Mem::L1 ? 1 : element;
}

}  // namespace

void copy(const Slice& dst, const Slice& src, uint64_t bytes, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const Instruction& instruction = path(core, dst.mem, src.mem, site);
  const uint64_t whole = bytes & ~uint64_t{kBlockBytes - 1};
  if (whole != bytes) [[unlikely]]
    remark(core, site, [&] {
      return Remark{instruction.name, "constraints.rounded_down", false,
                    "count * sizeof(T) is " + std::to_string(bytes) +
                        " bytes, and only whole 32 bytes move: " +
                        (whole ? "the last " + std::to_string(bytes - whole) + " stay behind"
                               : std::string("nothing does")),
                    "make count a multiple of " + std::to_string(kBlockBytes / element) +
                        ", or move the tail with DataCopyPad"};
    });
  if (whole == 0) return;
  check_side(core, instruction, "dst", dst, whole, alignment(dst.mem, src.mem, element), site);
  check_side(core, instruction, "src", src, whole, alignment(src.mem, dst.mem, element), site);
  const bool plain = dst.mem != Mem::GM || core.atomic.type == StoreAtomic::None;
  if (plain && !core.watched) [[likely]]  // issue() without what it would only carry along
    return move_consecutive(core, host(core, dst.mem, dst.at), host(core, src.mem, src.at), whole, dst.mem,
                            src.mem);
  issue_move(core, instruction, {dst, whole}, {src, whole}, site);
}

void copy(const Slice& dst, const Slice& src, const BlockMove& m, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const Instruction& instruction = path(core, dst.mem, src.mem, site);
  check_range(core, instruction, "blockCount", m.blocks, 0, 4095, site);
  if (m.blocks == 0 || m.length == 0) return;
  const uint64_t run = uint64_t{m.length} * kBlockBytes;
  const Runs d{dst, run, m.blocks, 1, run + uint64_t{m.dst_gap} * kBlockBytes, 0};
  const Runs s{src, run, m.blocks, 1, run + uint64_t{m.src_gap} * kBlockBytes, 0};
  check_side(core, instruction, "dst", dst, d.reach(), alignment(dst.mem, src.mem, element), site);
  check_side(core, instruction, "src", src, s.reach(), alignment(src.mem, dst.mem, element), site);
  issue_move(core, instruction, d, s, site);
}

}  // namespace toprope::isa
