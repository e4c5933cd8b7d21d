// From Ascend C's arguments to the ISA's operands and shapes; shared by all vector families.
#pragma once
#include "basic_api/kernel_tensor.h"

namespace AscendC::detail {

template <class T>
[[gnu::always_inline]] inline toprope::isa::VecOperand operand(const LocalTensor<T>& tensor,
                                                               uint16_t block_stride = 1,
                                                               uint16_t repeat_stride = 8) {
  return {tensor.slice(), block_stride, repeat_stride};
}

/// The first `count` elements; a count beyond what fits fails at the tensor's end.
constexpr toprope::isa::VecShape first(uint32_t count) {
  return toprope::isa::VecShape::elements(static_cast<int32_t>(count < INT32_MAX ? count : INT32_MAX));
}

[[gnu::always_inline]] inline toprope::isa::VecShape repeats(bool set_mask, uint64_t mask, uint8_t times) {
  return set_mask ? toprope::isa::VecShape::mask_count(mask, times)
                  : toprope::isa::VecShape::mask_register(times);
}

[[gnu::always_inline]] inline toprope::isa::VecShape repeats(bool set_mask, const uint64_t mask[],
                                                             uint8_t times) {
  return set_mask ? toprope::isa::VecShape::mask_bits(mask, times)
                  : toprope::isa::VecShape::mask_register(times);
}

}  // namespace AscendC::detail
