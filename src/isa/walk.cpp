#include "isa/walk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "machine/core_state.h"
#include "toprope/isa/mask.h"

namespace toprope::isa {
namespace {

constexpr int kMaxOperands = 4;
constexpr uint32_t kBatch = 8;  // repeats gathered before one kernel call

uint32_t blocks_of(const Plan& plan, uint32_t element) { return plan.full * element / kBlockBytes; }

uint64_t span_of_repeat(const Plan& plan, const Row& row) {
  return uint64_t{blocks_of(plan, row.element) - 1} * row.block_stride + kBlockBytes;
}

bool overlap(const Plan& plan, const Row& a, const Row& b) {
  const uint64_t end_a = uint64_t{plan.repeats - 1} * a.repeat_stride + span_of_repeat(plan, a);
  const uint64_t end_b = uint64_t{plan.repeats - 1} * b.repeat_stride + span_of_repeat(plan, b);
  return a.at < b.at + end_b && b.at < a.at + end_a;
}

/// Whether repeats may be taken together: no repeat reads what an earlier one wrote.
bool independent(const Plan& plan, const Row* rows, int count) {
  for (int i = 1; i < count; ++i) {
    const Row &d = rows[0], &s = rows[i];
    if (!overlap(plan, d, s)) continue;
    const bool same = d.at == s.at && d.element == s.element && d.block_stride == s.block_stride &&
                      d.repeat_stride == s.repeat_stride;
    if (!same || (plan.repeats > 1 && d.repeat_stride < span_of_repeat(plan, d))) return false;
  }
  return true;
}

/// Whether the operand's elements lie in a row inside each repeat.
bool dense(const Plan& plan, const Row& row) {
  return row.block_stride == kBlockBytes || blocks_of(plan, row.element) == 1;
}

/// The elements of block `b` of a repeat that take part, from the lowest bit on.
uint64_t block_mask(const Plan& plan, uint32_t b, uint32_t per_block, uint32_t lanes) {
  const uint32_t first = b * per_block;
  const uint64_t all = per_block == 64 ? ~uint64_t{0} : (uint64_t{1} << per_block) - 1;
  if (!plan.prefix) return plan.bits[first / 64] >> (first % 64) & all;
  if (first >= lanes) return 0;
  const uint32_t here = std::min(per_block, lanes - first);
  return here == per_block ? all : (uint64_t{1} << here) - 1;
}

/// Reads one repeat; blocks without an element that takes part are not touched (they may lie outside any
/// memory).
void gather(const Plan& plan, const Row& row, const uint8_t* from, uint8_t* to) {
  const uint32_t blocks = blocks_of(plan, row.element), per_block = kBlockBytes / row.element;
  for (uint32_t b = 0; b < blocks; ++b)
    if (block_mask(plan, b, per_block, plan.lanes))
      std::memcpy(to + b * kBlockBytes, from + size_t{b} * row.block_stride, kBlockBytes);
}

/// All bits of the bytes of a repeat's elements that take part, for a mask in bits.
void byte_mask(const Plan& plan, uint32_t element, uint8_t* to) {
  for (uint32_t lane = 0; lane < plan.full; ++lane)
    std::memset(to + lane * element, plan.bits[lane / 64] >> (lane % 64) & 1 ? 0xff : 0, element);
}

/// A block whose bytes come from `from` where `mask` says so, and stay elsewhere.
void blend(uint8_t* to, const uint8_t* from, const uint8_t* mask) {
  uint64_t t[kBlockBytes / 8], f[kBlockBytes / 8], m[kBlockBytes / 8];
  std::memcpy(t, to, kBlockBytes);
  std::memcpy(f, from, kBlockBytes);
  std::memcpy(m, mask, kBlockBytes);
  for (uint32_t i = 0; i < kBlockBytes / 8; ++i) t[i] ^= (t[i] ^ f[i]) & m[i];
  std::memcpy(to, t, kBlockBytes);
}

/// Writes one repeat of the destination, only the elements that take part; `bytes` is byte_mask()'s.
void scatter(const Plan& plan, const Row& row, const uint8_t* from, uint8_t* to, uint32_t lanes,
             const uint8_t* bytes) {
  const uint32_t blocks = blocks_of(plan, row.element), per_block = kBlockBytes / row.element;
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint8_t* source = from + b * kBlockBytes;
    uint8_t* target = to + size_t{b} * row.block_stride;
    const uint64_t mask = block_mask(plan, b, per_block, lanes);
    if (static_cast<uint32_t>(std::popcount(mask)) == per_block) {
      std::memcpy(target, source, kBlockBytes);
      continue;
    }
    if (!plan.prefix && mask) {
      blend(target, source, bytes + b * kBlockBytes);
      continue;
    }
    for (uint64_t m = mask; m; m &= m - 1) {
      const uint32_t i = static_cast<uint32_t>(std::countr_zero(m));
      std::memcpy(target + i * row.element, source + i * row.element, row.element);
    }
  }
}

/// Repeats one after the other through scratch memory: any stride, any mask, any overlap.
void walk_gathered(const Plan& plan, const Row* rows, int count, uint32_t batch, const Kernel& kernel) {
  alignas(64) uint8_t scratch[kMaxOperands][kBatch * kRepeatBytes], bytes[kRepeatBytes];
  uint8_t* at[kMaxOperands];
  for (int i = 0; i < count; ++i) at[i] = scratch[i];
  if (!plan.prefix) byte_mask(plan, rows[0].element, bytes);
  for (uint32_t r = 0; r < plan.repeats; r += batch) {
    const uint32_t here = std::min(batch, plan.repeats - r);
    for (int i = 1; i < count; ++i)
      for (uint32_t k = 0; k < here; ++k)
        gather(plan, rows[i], rows[i].at + size_t{r + k} * rows[i].repeat_stride,
               scratch[i] + size_t{k} * plan.full * rows[i].element);
    // A kernel may accumulate into its destination (MulAddDst).
    for (uint32_t k = 0; k < here; ++k)
      gather(plan, rows[0], rows[0].at + size_t{r + k} * rows[0].repeat_stride,
             scratch[0] + size_t{k} * plan.full * rows[0].element);
    kernel(at, size_t{here} * plan.full);
    for (uint32_t k = 0; k < here; ++k)
      scatter(plan, rows[0], scratch[0] + size_t{k} * plan.full * rows[0].element,
              rows[0].at + size_t{r + k} * rows[0].repeat_stride,
              r + k + 1 == plan.repeats ? plan.last : plan.lanes, bytes);
  }
}

}  // namespace

void set_vector_mask(uint64_t low, uint64_t high) {
  static constexpr Instruction kSet{"SetVectorMask", Pipe::S};
  Core& core = toprope::core();
  issue_scalar(
      core, kSet, __builtin_return_address(0), [](Footprint&) {},
      [&] {
        core.mask.bits[0] = low;
        core.mask.bits[1] = high;
      });
}

void reset_mask() {
  static constexpr Instruction kReset{"ResetMask", Pipe::S};
  Core& core = toprope::core();
  issue_scalar(
      core, kReset, __builtin_return_address(0), [](Footprint&) {},
      [&] { core.mask.bits[0] = core.mask.bits[1] = ~uint64_t{0}; });
}

void set_counter_mode(bool on) {
  static constexpr Instruction kModes[] = {{"SetMaskNorm", Pipe::S}, {"SetMaskCount", Pipe::S}};
  Core& core = toprope::core();
  issue_scalar(
      core, kModes[on], __builtin_return_address(0), [](Footprint&) {}, [&] { core.mask.counter = on; });
}

Plan plan_of(Core& core, const VecShape& shape, uint32_t element) {
  Plan plan;
  plan.full = kRepeatBytes / element;
  if (core.watched) [[unlikely]]
    core.state->mask_use =
        shape.kind == VecShape::MaskRegister ? CoreState::MaskUse::Reads : CoreState::MaskUse::Overwrites;
  if (shape.kind == VecShape::Count) {
    plan.consecutive = true;
    plan.count = shape.count > 0 ? static_cast<uint64_t>(shape.count) : 0;
    core.mask = MaskRegister{};  // these forms end with ResetMask and SetMaskNorm
    return plan;
  }
  uint64_t bits[2] = {shape.bits[0], shape.bits[1]};
  if (shape.kind == VecShape::MaskRegister) {
    std::copy_n(core.mask.bits, 2, bits);
  } else if (core.mask.counter) {
    core.mask.bits[0] = bits[0];
  }
  if (core.mask.counter) {
    const uint64_t total = bits[0] & 0xffffffffu;
    plan.repeats = static_cast<uint32_t>((total + plan.full - 1) / plan.full);
    plan.lanes = plan.full;
    plan.last = plan.repeats ? static_cast<uint32_t>(total - uint64_t{plan.repeats - 1} * plan.full) : 0;
    return plan;
  }
  plan.repeats = shape.repeats;
  if (shape.kind == VecShape::MaskCount) {
    // The device takes a count beyond one repeat as the whole repeat.
    plan.lanes = plan.last = static_cast<uint32_t>(std::min<uint64_t>(bits[0], plan.full));
    if (bits[0] > plan.full) plan.asked = bits[0];
    bits[0] = plan.lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << plan.lanes) - 1;
    bits[1] = plan.lanes <= 64    ? 0
              : plan.lanes >= 128 ? ~uint64_t{0}
                                  : (uint64_t{1} << (plan.lanes - 64)) - 1;
    std::copy_n(bits, 2, core.mask.bits);
    return plan;
  }
  if (plan.full <= 64) {
    // The bits that SetVectorMask and ResetMask leave beyond a repeat are nobody's request.
    const uint64_t beyond = plan.full < 64 ? bits[0] >> plan.full | bits[1] : bits[1];
    if (shape.kind == VecShape::MaskBits && beyond)
      plan.asked = bits[1] ? 128 - static_cast<uint64_t>(std::countl_zero(bits[1]))
                           : 64 - static_cast<uint64_t>(std::countl_zero(bits[0]));
    bits[1] = 0;
    if (plan.full < 64) bits[0] &= (uint64_t{1} << plan.full) - 1;
  }
  if (shape.kind == VecShape::MaskBits) std::copy_n(shape.bits, 2, core.mask.bits);
  const uint32_t ones = static_cast<uint32_t>(bits[0] == ~uint64_t{0} ? 64 + std::countr_one(bits[1])
                                                                      : std::countr_one(bits[0]));
  const uint32_t set = static_cast<uint32_t>(std::popcount(bits[0]) + std::popcount(bits[1]));
  plan.prefix = ones == set;
  plan.lanes = plan.last = plan.prefix ? set : plan.full;
  std::copy_n(bits, 2, plan.bits);
  return plan;
}

Access access_of(const char* operand, const VecOperand& where, const Plan& plan, uint32_t element,
                 bool write) {
  Access a;
  a.operand = operand;
  a.slice = where.slice;
  a.width = static_cast<uint8_t>(element);
  a.write = write;
  if (plan.consecutive) {
    a.run = static_cast<uint32_t>(plan.count * element);
    return a;
  }
  a.asked = plan.asked;
  a.run = kBlockBytes;
  a.blocks = blocks_of(plan, element);
  a.block_stride = where.block_stride * kBlockBytes;
  a.repeats = plan.repeats;
  a.repeat_stride = where.repeat_stride * kBlockBytes;
  if (!plan.prefix || plan.lanes != plan.full || plan.last != plan.lanes) {
    a.element = static_cast<uint8_t>(element);
    if (plan.prefix) {
      a.mask[0] = plan.lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << plan.lanes) - 1;
      a.mask[1] = plan.lanes <= 64    ? 0
                  : plan.lanes >= 128 ? ~uint64_t{0}
                                      : (uint64_t{1} << (plan.lanes - 64)) - 1;
    } else {
      std::copy_n(plan.bits, 2, a.mask);
    }
  }
  if (plan.last != plan.lanes) a.last = plan.last;
  return a;
}

Row resolve(Core& core, const Instruction& instruction, const char* operand, const VecOperand& where,
            const Plan& plan, uint32_t element, Site site) {
  const Slice& s = where.slice;
  Row row{host(core, s.mem, s.at), element, where.block_stride * kBlockBytes,
          where.repeat_stride * kBlockBytes};
  if (s.at % kBlockBytes) [[unlikely]]
    refuse(core, instruction.name,
           std::string(operand) + " starts at byte " + std::to_string(s.at) +
               " of UB, which is not 32-byte aligned",
           "start the operand at a multiple of 32 bytes (an offset of " +
               std::to_string(kBlockBytes / element) + " elements, or a multiple of it)",
           site);
  uint64_t bytes;
  if (plan.consecutive) {
    bytes = plan.count * element;
  } else {
    const uint32_t lanes = plan.prefix    ? plan.last
                           : plan.bits[1] ? 128 - static_cast<uint32_t>(std::countl_zero(plan.bits[1]))
                                          : 64 - static_cast<uint32_t>(std::countl_zero(plan.bits[0]));
    // With a zero or small repeat stride an earlier, longer repeat can reach further than a short last one.
    const uint32_t longest = plan.prefix && plan.repeats > 1 ? plan.lanes : lanes;
    auto reach = [&](uint32_t n, uint64_t repeat) {
      if (n == 0) return uint64_t{0};
      const uint32_t block = (n * element - 1) / kBlockBytes;
      return repeat * row.repeat_stride + uint64_t{block} * row.block_stride +
             (n * element - block * kBlockBytes);
    };
    bytes = std::max(reach(lanes, plan.repeats - 1), plan.repeats > 1 ? reach(longest, plan.repeats - 2) : 0);
  }
  if (s.at + bytes > s.end) [[unlikely]]
    refuse(core, instruction.name,
           std::string(operand) + " ends " + std::to_string(s.at + bytes - s.end) +
               " bytes past its tensor: " + std::to_string(bytes) + " bytes from byte " +
               std::to_string(s.at - s.begin) + " of an allocation of " + std::to_string(s.end - s.begin) +
               " bytes",
           "make the buffer larger or the count, repeat or stride smaller", site);
  return row;
}

const uint8_t* repeat_of(const Plan& plan, const Row& row, uint32_t repeat, uint8_t* scratch) {
  const uint8_t* at = row.at + size_t{repeat} * row.repeat_stride;
  if (dense(plan, row)) return at;
  gather(plan, row, at, scratch);
  return scratch;
}

void walk(const Plan& given, const Row* rows, int count, const Kernel& kernel) {
  if (given.empty()) return;
  if (given
          .consecutive) {  // reached only when operands overlap in part: repeat by repeat, as the device goes
    Plan plan = given;
    plan.consecutive = false;
    plan.lanes = plan.full;
    plan.repeats = static_cast<uint32_t>((plan.count + plan.full - 1) / plan.full);
    plan.last = static_cast<uint32_t>(plan.count - uint64_t{plan.repeats - 1} * plan.full);
    Row dense_rows[kMaxOperands];
    for (int i = 0; i < count; ++i)
      dense_rows[i] = {rows[i].at, rows[i].element, kBlockBytes, plan.full * rows[i].element};
    walk_gathered(plan, dense_rows, count, 1, kernel);
    return;
  }
  const Plan& plan = given;
  const bool free = independent(plan, rows, count);
  bool all_dense = plan.prefix, all_rows = plan.lanes == plan.full;
  for (int i = 0; i < count; ++i) {
    all_dense &= dense(plan, rows[i]);
    all_rows &= rows[i].repeat_stride == plan.full * rows[i].element;
  }
  uint8_t* at[kMaxOperands];
  if (all_dense && all_rows && free) {
    for (int i = 0; i < count; ++i) at[i] = rows[i].at;
    kernel(at, size_t{plan.repeats - 1} * plan.full + plan.last);
  } else if (all_dense && free) {
    for (uint32_t r = 0; r < plan.repeats; ++r) {
      for (int i = 0; i < count; ++i) at[i] = rows[i].at + size_t{r} * rows[i].repeat_stride;
      kernel(at, r + 1 == plan.repeats ? plan.last : plan.lanes);
    }
  } else {
    walk_gathered(plan, rows, count, free ? kBatch : 1, kernel);
  }
}

}  // namespace toprope::isa
