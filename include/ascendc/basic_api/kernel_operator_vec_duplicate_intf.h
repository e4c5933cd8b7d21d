// Duplicate: one value into many elements.
// Source: Ascend C API, memory vector computation, data filling.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/fill.h"

namespace AscendC {

namespace detail {

template <class T>
[[gnu::always_inline]] inline void duplicate(const toprope::isa::VecOperand& dst, const T& value,
                                             const toprope::isa::VecShape& shape) {
  static_assert(toprope::contains(toprope::isa::kFillTypes, toprope::dtype_of<T>),
                "Duplicate does not take this element type on this chip; see its page in the Ascend C API");
  toprope::isa::duplicate(toprope::dtype_of<T>, dst, toprope::isa::scalar_of(value), shape);
}

}  // namespace detail

template <class T>
[[gnu::always_inline]] inline void Duplicate(const LocalTensor<T>& dst, const PrimT<T>& scalarValue,
                                             const int32_t& count) {
  detail::duplicate(detail::operand(dst), scalarValue, toprope::isa::VecShape::elements(count));
}

template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void Duplicate(const LocalTensor<T>& dst, const PrimT<T>& scalarValue,
                                             uint64_t mask[], const uint8_t repeatTime,
                                             const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
  detail::duplicate(detail::operand(dst, dstBlockStride, dstRepeatStride), scalarValue,
                    detail::repeats(isSetMask, mask, repeatTime));
}

template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void Duplicate(const LocalTensor<T>& dst, const PrimT<T>& scalarValue,
                                             uint64_t mask, const uint8_t repeatTime,
                                             const uint16_t dstBlockStride, const uint8_t dstRepeatStride) {
  detail::duplicate(detail::operand(dst, dstBlockStride, dstRepeatStride), scalarValue,
                    detail::repeats(isSetMask, mask, repeatTime));
}

}  // namespace AscendC
