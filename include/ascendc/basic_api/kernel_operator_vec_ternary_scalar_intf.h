// Axpy: dst = scalar · src + dst, for half, for float, and for half sources of a float dst. Forms: the first
// `count` elements, and repeats with a mask in bits or as a count of leading elements. Where the types differ
// a repeat is 64 elements and srcRepStride is 4 for consecutive ones. Source: Ascend C API, memory vector
// computation, compound computation.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/ternary.h"

namespace AscendC {

namespace detail {

template <class T, class U>
[[gnu::always_inline]] inline void axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalar,
                                        const toprope::isa::VecShape& shape,
                                        const UnaryRepeatParams& p = {}) {
  static_assert(toprope::isa::axpy_takes(toprope::dtype_of<PrimT<T>>, toprope::dtype_of<PrimT<U>>),
                "Axpy does not take these element types on this chip; see its page in the Ascend C API");
  toprope::isa::axpy(toprope::dtype_of<PrimT<T>>, toprope::dtype_of<PrimT<U>>,
                     operand(dst, p.dstBlkStride, p.dstRepStride),
                     operand(src, p.srcBlkStride, p.srcRepStride), toprope::isa::scalar_of(scalar), shape);
}

}  // namespace detail

template <class T, class U>
[[gnu::always_inline]] inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const U& scalarValue, const int32_t& count) {
  detail::axpy(dst, src, scalarValue, toprope::isa::VecShape::elements(count));
}

template <class T, class U>
[[gnu::always_inline]] inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const U& scalarValue, const uint64_t mask[], const uint8_t repeatTime,
                                        const UnaryRepeatParams& repeatParams) {
  detail::axpy(dst, src, scalarValue, detail::repeats(true, mask, repeatTime), repeatParams);
}

template <class T, class U>
[[gnu::always_inline]] inline void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const U& scalarValue, uint64_t mask, const uint8_t repeatTime,
                                        const UnaryRepeatParams& repeatParams) {
  detail::axpy(dst, src, scalarValue, detail::repeats(true, mask, repeatTime), repeatParams);
}

}  // namespace AscendC
