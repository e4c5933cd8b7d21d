#include "isa/reduce_pass.h"

#include <bit>
#include <cstring>
#include <string>

#include "isa/blocks_table.h"

namespace toprope::isa {
namespace {

/// A number that grows as `op` prefers a value; NaN first of all.
int64_t rank(Reduce op, uint32_t element, const uint8_t* value) {
  int64_t bits;
  if (element == 2) {
    int16_t v;
    std::memcpy(&v, value, 2);
    if ((v & 0x7fff) > 0x7c00) return INT64_MAX;
    bits = v >= 0 ? v : -1 - (v & 0x7fff);
  } else {
    int32_t v;
    std::memcpy(&v, value, 4);
    if ((v & 0x7fffffff) > 0x7f800000) return INT64_MAX;
    bits = v >= 0 ? v : -1 - int64_t{v & 0x7fffffff};
  }
  return op == Reduce::Max ? bits : -bits;
}

}  // namespace

const uint8_t* Pass::lay_out(uint32_t r, uint32_t n, const Taking& part, Fill fill, uint8_t* to) const {
  const BlocksTable& blocks = block_kernels();
  const uint32_t element = src.element, per_block = kBlockBytes / element;
  alignas(64) uint8_t mask[kRepeatBytes + kMaskSlack];
  blocks.spread(mask, part.bits, element, plan.full);
  const uint8_t* from = src.at + size_t{r} * src.repeat_stride;
  const Grid grid{reached_blocks(part, element), src.block_stride, src.repeat_stride};
  if (fill == Fill::MinusZero) {
    alignas(64) uint8_t other[kRepeatBytes] = {};
    for (uint32_t at = element - 1; at < kRepeatBytes; at += element) other[at] = 0x80;
    blocks.merge(to, from, grid, mask, other, n);
    return to;
  }
  uint8_t chosen[kBlocksPerRepeat];
  for (uint32_t b = 0; b < kBlocksPerRepeat; ++b) {
    const uint64_t here = part.range(b * per_block, per_block);
    chosen[b] = static_cast<uint8_t>(fill == Fill::OfBlock && here
                                         ? b * per_block + static_cast<uint32_t>(std::countr_zero(here))
                                         : part.first());
  }
  blocks.gather(to, kRepeatBytes, from, grid, n);
  blocks.fill(to, mask, element, chosen, n);
  return to;
}

uint8_t* resolve_results(Core& core, const Instruction& instruction, const Slice& dst, uint32_t repeats,
                         int32_t stride, uint32_t unit, uint32_t last_unit, uint32_t alignment, Site site) {
  if (dst.at % alignment) [[unlikely]]
    refuse(core, instruction.name,
           "dst starts at byte " + std::to_string(dst.at) + " of UB, which is not " +
               std::to_string(alignment) + "-byte aligned",
           "start it at a multiple of " + std::to_string(alignment) + " bytes", site);
  const uint64_t bytes = std::max(uint64_t{repeats - 1} * static_cast<uint32_t>(stride) * unit + last_unit,
                                  uint64_t{repeats > 1 ? unit : 0});
  if (dst.at + bytes > dst.end) [[unlikely]]
    refuse(core, instruction.name,
           "dst ends " + std::to_string(dst.at + bytes - dst.end) +
               " bytes past its tensor: " + std::to_string(bytes) + " bytes of results",
           "make the buffer larger or the repeats or dstRepStride smaller; dstRepStride counts results of "
           "one repeat",
           site);
  return host(core, dst.mem, dst.at);
}

uint32_t batch_of(const Pass& pass, const uint8_t* dst, uint64_t dst_bytes, uint64_t dst_stride) {
  const uint64_t src_bytes = uint64_t{pass.plan.repeats - 1} * pass.src.repeat_stride +
                             uint64_t{kBlocksPerRepeat - 1} * pass.src.block_stride + kBlockBytes;
  const bool apart = dst + dst_bytes <= pass.src.at || pass.src.at + src_bytes <= dst;
  return apart || (dst <= pass.src.at && dst_stride <= pass.src.repeat_stride) ? kReduceBatch : 1;
}

void check_steps(Core& core, const Instruction& instruction, const ReduceSteps& steps, int32_t most_repeats,
                 Site site) {
  auto check = [&](const char* what, int32_t value, int32_t most) {
    if (value < 0 || value > most) [[unlikely]]
      refuse(core, instruction.name, std::string(what) + " is " + std::to_string(value),
             "it takes 0 to " + std::to_string(most), site);
  };
  check("repeatTime", steps.repeats, most_repeats);
  check("dstRepStride", steps.dst_repeat, 65535);
  check("srcBlkStride", steps.src_block, 65535);
  check("srcRepStride", steps.src_repeat, 65535);
}

void RunningExtreme::offer(const uint8_t* value, uint64_t index) {
  const int64_t r = rank(op_, element_, value);
  if (!empty_ && r <= rank_) return;
  empty_ = false;
  rank_ = r;
  this->index = index;
  std::memcpy(&this->value, value, element_);
}

}  // namespace toprope::isa
