// CreateVecIndex: consecutive numbers.
// Source: Ascend C API, memory vector computation, data filling.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/fill.h"

namespace AscendC {

namespace detail {

template <class T>
[[gnu::always_inline]] inline void create_index(const toprope::isa::VecOperand& dst, const T& first_value,
                                                const toprope::isa::VecShape& shape) {
  static_assert(toprope::contains(toprope::isa::kIndexTypes, toprope::dtype_of<T>),
                "CreateVecIndex takes int16_t, half, int32_t and float on this chip");
  toprope::isa::create_index(toprope::dtype_of<T>, dst, toprope::isa::scalar_of(first_value), shape);
}

}  // namespace detail

/// dst[i] = firstValue + i. With repeats, i counts the places of whole repeats.
template <class T>
[[gnu::always_inline]] inline void CreateVecIndex(LocalTensor<T> dst, const PrimT<T>& firstValue,
                                                  uint32_t count) {
  detail::create_index(detail::operand(dst), firstValue, detail::first(count));
}
template <class T>
[[gnu::always_inline]] inline void CreateVecIndex(const LocalTensor<T>& dst, const PrimT<T>& firstValue,
                                                  uint64_t mask[], uint8_t repeatTime, uint16_t dstBlkStride,
                                                  uint8_t dstRepStride) {
  detail::create_index(detail::operand(dst, dstBlkStride, dstRepStride), firstValue,
                       detail::repeats(true, mask, repeatTime));
}
template <class T>
[[gnu::always_inline]] inline void CreateVecIndex(const LocalTensor<T>& dst, const PrimT<T>& firstValue,
                                                  uint64_t mask, uint8_t repeatTime, uint16_t dstBlkStride,
                                                  uint8_t dstRepStride) {
  detail::create_index(detail::operand(dst, dstBlkStride, dstRepStride), firstValue,
                       detail::repeats(true, mask, repeatTime));
}

}  // namespace AscendC
