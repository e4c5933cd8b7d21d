// MulCast: the product of two half tensors as int8_t or uint8_t. Forms: the first `count` elements, and
// repeats of 128 elements with a mask in bits or as a count of leading elements; dst advances by 4 DataBlocks
// a repeat where it is consecutive. Source: Ascend C API, memory vector computation, compound computation.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/compound.h"

namespace AscendC {

namespace detail {

template <class T, class U>
[[gnu::always_inline]] inline void mul_cast(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                            const LocalTensor<U>& src1, const toprope::isa::VecShape& shape,
                                            const BinaryRepeatParams& p = {}) {
  constexpr toprope::DType to = toprope::dtype_of<PrimT<T>>;
  static_assert(toprope::dtype_of<PrimT<U>> == toprope::DType::Half &&
                    (to == toprope::DType::Int8 || to == toprope::DType::UInt8),
                "MulCast takes half sources and an int8_t or uint8_t destination on this chip");
  toprope::isa::mul_cast(to, operand(dst, p.dstBlkStride, p.dstRepStride),
                         operand(src0, p.src0BlkStride, p.src0RepStride),
                         operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

}  // namespace detail

template <class T, class U>
[[gnu::always_inline]] inline void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                           const LocalTensor<U>& src1, uint32_t count) {
  detail::mul_cast(dst, src0, src1, detail::first(count));
}

template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                           const LocalTensor<U>& src1, const uint64_t mask[],
                                           const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::mul_cast(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime), repeatParams);
}

template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void MulCast(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                           const LocalTensor<U>& src1, uint64_t mask,
                                           const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::mul_cast(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime), repeatParams);
}

}  // namespace AscendC
