// Operands and shapes of vector instructions, drawn at random: all kinds of masks, repeats, strides, counts,
// counter mode, nothing at all.
#pragma once
#include "support/footprint.h"

namespace toprope::test {

/// A shape, with what the mask register must hold for it.
struct Drawn {
  isa::VecShape shape;
  MaskRegister mask;

  const isa::VecShape& set() const {
    core().mask = mask;
    return shape;
  }
};

inline constexpr uint64_t kRoom = 32 * 1024;  // of UB for each operand: more than any drawn shape reaches
inline constexpr int kMostRepeats = 5;

/// `element`: bytes of the widest type. `even`: elements come in pairs (int4b_t).
inline Drawn draw_shape(Random& random, uint32_t element, bool even = false) {
  using isa::VecShape;
  const uint64_t full = isa::kRepeatBytes / element, unit = even ? 2 : 1;
  const auto some = [&](uint64_t most) { return below(random, most / unit + 1) * unit; };
  const auto repeats = static_cast<uint8_t>(below(random, kMostRepeats + 1));
  uint64_t bits[2] = {random(), random()};
  if (below(random, 3) == 0)  // few of them
    for (uint64_t& b : bits) b &= random() & random() & random();
  if (even)
    for (uint64_t& b : bits) b = (b & 0x5555555555555555) * 3;
  const uint64_t total = one_of(random, {some(full), some(full * kMostRepeats), uint64_t{0}, full, 2 * full});
  Drawn d;
  switch (below(random, 8)) {
    case 0:
    case 1:
      d.shape = VecShape::elements(static_cast<int32_t>(one_of(random, {some(full), some(2000), total})));
      break;
    case 2:
      d.shape = VecShape::mask_count(one_of(random, {some(full), full, full + 2, uint64_t{0}}), repeats);
      break;
    case 3:
    case 4:
      if (below(random, 4) == 0) bits[0] = ~uint64_t{0}, bits[1] = full > 64 ? 0xffff : 0;
      d.shape = VecShape::mask_bits(bits, repeats);
      break;
    case 5:
      d.shape = VecShape::mask_register(repeats);
      d.mask = {{bits[0], bits[1]}, false};
      break;
    case 6:
      d.shape = VecShape::mask_count(total, repeats);
      d.mask.counter = true;
      break;
    default:
      d.shape = VecShape::mask_register(repeats);
      d.mask = {{total, bits[1]}, true};
  }
  return d;
}

/// An operand in room `number`. What is written lies apart in most cases; what is read need not.
inline isa::VecOperand draw_operand(Random& random, int number, bool written) {
  const uint64_t at = static_cast<uint64_t>(number) * kRoom + 32 * below(random, 20);
  const bool apart = written && below(random, 6) != 0;
  const uint16_t block =
      apart ? one_of<uint16_t>(random, {1, 1, 1, 2, 3}) : one_of<uint16_t>(random, {1, 1, 1, 0, 2, 3});
  const uint16_t repeat = apart ? static_cast<uint16_t>(8 * block + below(random, 3))
                                : one_of<uint16_t>(random, {8, 8, 0, 1, 7, 9, 16});
  return {in_ub(at, kRoom - 1024), block, repeat};
}

/// Whether no byte is written twice, so that each read has its own result.
inline bool writes_once(const isa::VecOperand& dst) {
  return dst.block_stride && dst.repeat_stride >= 8 * dst.block_stride;
}

}  // namespace toprope::test
