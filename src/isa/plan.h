// Mask, repeat and stride: which elements a vector instruction works on, and which bytes of its operands they
// are.
#pragma once
#include <bit>
#include <cstdint>

#include "machine/fault.h"
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// A VecShape after the mask register and mode were applied.
struct Plan {
  bool consecutive = false;  ///< `count` elements in a row, strides play no role
  bool prefix = true;        ///< a repeat's elements are its first `lanes`; else those in `bits`
  uint64_t count = 0;
  uint32_t repeats = 0;
  uint32_t full = 0;  ///< elements a whole repeat holds
  uint32_t lanes = 0;
  uint32_t last = 0;  ///< elements of the last repeat, ≤ lanes (counter mode ends anywhere)
  uint64_t bits[2] = {0, 0};
  uint64_t asked = 0;  ///< elements that the mask asked for, where a repeat holds fewer
  bool empty() const { return consecutive ? count == 0 : repeats == 0 || lanes == 0; }
};

/// `element` is the size of the widest element type of the instruction: it decides how many elements a repeat
/// holds.
Plan plan_of(Core& core, const VecShape& shape, uint32_t element);

/// The elements of a repeat that take part.
struct Taking {
  uint64_t bits[2];
  bool test(uint32_t i) const { return bits[i / 64] >> (i % 64) & 1; }
  uint64_t range(uint32_t first, uint32_t n) const {
    const uint64_t all = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    return bits[first / 64] >> (first % 64) & all;
  }
  /// The place after the last one.
  uint32_t end() const {
    return bits[1] ? 128 - static_cast<uint32_t>(std::countl_zero(bits[1]))
                   : 64 - static_cast<uint32_t>(std::countl_zero(bits[0]));
  }
  uint32_t first() const {
    return static_cast<uint32_t>(bits[0] ? std::countr_zero(bits[0]) : 64 + std::countr_zero(bits[1]));
  }
};

/// The first n of a repeat.
constexpr Taking first_lanes(uint32_t n) {
  return {{n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1, n <= 64    ? 0
                                                            : n >= 128 ? ~uint64_t{0}
                                                                       : (uint64_t{1} << (n - 64)) - 1}};
}

inline Taking taking(const Plan& plan, uint32_t repeat) {
  if (!plan.prefix) return {{plan.bits[0], plan.bits[1]}};
  return first_lanes(repeat + 1 == plan.repeats ? plan.last : plan.lanes);
}

/// How many repeats from `repeat` on have the same elements taking part.
inline uint32_t alike_from(const Plan& plan, uint32_t repeat) {
  const bool to_the_end = plan.last == plan.lanes || repeat + 1 == plan.repeats;
  return plan.repeats - repeat - (to_the_end ? 0 : 1);
}

/// The blocks of a repeat up to the last that has an element which takes part: those behind it may lie
/// outside any memory, those before it do not.
inline uint32_t reached_blocks(const Taking& part, uint32_t element) {
  return (part.end() * element + kBlockBytes - 1) / kBlockBytes;
}

/// The operand's exact footprint.
Access access_of(const char* operand, const VecOperand& where, const Plan& plan, uint32_t element,
                 bool write);

/// An operand with its place in the host's memory; strides in bytes.
struct Row {
  uint8_t* at;
  uint32_t element;
  uint32_t block_stride, repeat_stride;
};

/// Checks an operand (alignment, the tensor's end) and finds its bytes. Faults name `operand`.
Row resolve(Core& core, const Instruction& instruction, const char* operand, const VecOperand& where,
            const Plan& plan, uint32_t element, Site site);

}  // namespace toprope::isa
