#include "isa/plan.h"

#include <algorithm>
#include <bit>
#include <string>

#include "isa/issue.h"
#include "machine/core_state.h"
#include "toprope/isa/mask.h"

namespace toprope::isa {

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
    std::copy_n(first_lanes(plan.lanes).bits, 2, core.mask.bits);
    return plan;
  }
  if (plan.full <= 64) {
    // The bits that SetVectorMask and ResetMask leave beyond a repeat are nobody's request.
    const uint64_t beyond = plan.full < 64 ? bits[0] >> plan.full | bits[1] : bits[1];
    if (shape.kind == VecShape::MaskBits && beyond) plan.asked = Taking{{bits[0], bits[1]}}.end();
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
  a.blocks = plan.full * element / kBlockBytes;
  a.block_stride = where.block_stride * kBlockBytes;
  a.repeats = plan.repeats;
  a.repeat_stride = where.repeat_stride * kBlockBytes;
  if (!plan.prefix || plan.lanes != plan.full || plan.last != plan.lanes) {
    a.element = static_cast<uint8_t>(element);
    std::copy_n((plan.prefix ? first_lanes(plan.lanes) : taking(plan, 0)).bits, 2, a.mask);
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
    const uint32_t lanes = taking(plan, plan.repeats - 1).end();
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

}  // namespace toprope::isa
