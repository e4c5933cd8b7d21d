// What every instruction takes: operands in memory, and the shape that says which of their elements take
// part. Source of the rules: Ascend C API, "SIMD computation", high-dimensional slicing and mask pages.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"
#include "toprope/types/dtype.h"

namespace toprope::isa {

inline constexpr uint32_t kBlockBytes = 32;    ///< a DataBlock
inline constexpr uint32_t kRepeatBytes = 256;  ///< what one repeat of a vector instruction covers
inline constexpr uint32_t kBlocksPerRepeat = 8;

/// An operand of a vector instruction: where it starts and how it walks. Strides count DataBlocks of 32
/// bytes, from start to start.
struct VecOperand {
  Slice slice;
  uint16_t block_stride = 1;   ///< between the blocks of one repeat
  uint16_t repeat_stride = 8;  ///< between repeats
};

/// Which elements take part.
struct VecShape {
  enum Kind : uint8_t {
    Count,         ///< `count` consecutive elements of every operand; strides are not looked at
    MaskCount,     ///< the first `bits[0]` elements of each of `repeats` repeats; in counter mode: `bits[0]`
                   ///< elements in all
    MaskBits,      ///< the elements of a repeat whose bit is set; in counter mode: bits[0] elements in all
    MaskRegister,  ///< as MaskBits, with the bits (or, in counter mode, the count) in the mask register
                   ///< (isSetMask = false)
  };
  Kind kind = Count;
  uint8_t repeats = 1;
  int32_t count = 0;
  uint64_t bits[2] = {0, 0};

  static constexpr VecShape elements(int32_t n) { return {Count, 1, n, {0, 0}}; }
  static constexpr VecShape mask_count(uint64_t lanes, uint8_t repeats) {
    return {MaskCount, repeats, 0, {lanes, 0}};
  }
  static constexpr VecShape mask_bits(const uint64_t mask[2], uint8_t repeats) {
    return {MaskBits, repeats, 0, {mask[0], mask[1]}};
  }
  static constexpr VecShape mask_register(uint8_t repeats) { return {MaskRegister, repeats, 0, {0, 0}}; }
};

/// A scalar operand, already rounded to the instruction's element type: its bits, zero-extended.
struct Scalar {
  uint64_t bits = 0;
};

template <class T>
Scalar scalar_of(T value) {
  Scalar s;
  __builtin_memcpy(&s.bits, &value, sizeof(T));
  return s;
}

}  // namespace toprope::isa
