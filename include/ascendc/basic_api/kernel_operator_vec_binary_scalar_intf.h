// Vector instructions with a vector and a scalar source. Forms: the first `count` elements, and repeats with
// a mask in bits or as a count of leading elements. Each form exists twice: for tensors of an element type T
// and a scalar of it, and for tensors of a TensorTrait T and a scalar of its element type U. Source: Ascend C
// API, memory vector computation, basic arithmetic and logic.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/scalar.h"

namespace AscendC {

namespace detail {

template <toprope::isa::VectorScalar op, class T>
[[gnu::always_inline]] inline void vector_scalar(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                 PrimT<T> scalar, const toprope::isa::VecShape& shape,
                                                 const UnaryRepeatParams& p = {}) {
  static_assert(
      toprope::contains(types_of(op), toprope::dtype_of<PrimT<T>>),
      "this instruction does not take this element type on this chip; see its page in the Ascend C API");
  toprope::isa::vector_scalar(op, toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                              operand(src, p.srcBlkStride, p.srcRepStride), toprope::isa::scalar_of(scalar),
                              shape);
}

/// Without a mask of its own the consecutive form is one repeat under the mask register; in counter mode that
/// holds the number of elements. `count` is not looked at then.
[[gnu::always_inline]] inline toprope::isa::VecShape elements(bool set_mask, int32_t count) {
  return set_mask ? toprope::isa::VecShape::elements(count) : toprope::isa::VecShape::mask_register(1);
}

/// ShiftRight with roundEn adds the last bit shifted out; for unsigned types roundEn has no effect.
template <class T>
[[gnu::always_inline]] inline void shift_right(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                               PrimT<T> distance, const toprope::isa::VecShape& shape,
                                               const UnaryRepeatParams& p, bool round) {
  using toprope::isa::VectorScalar;
  if constexpr (std::is_signed<PrimT<T>>::value)
    if (round) return vector_scalar<VectorScalar::ShiftRightRound>(dst, src, distance, shape, p);
  vector_scalar<VectorScalar::ShiftRight>(dst, src, distance, shape, p);
}

template <class T, class U>
using IfElement = std::enable_if_t<std::is_same<PrimT<T>, U>::value, bool>;

}  // namespace detail

#define TOPROPE_COUNT_FORMS(Name)                                                                \
  template <class T, bool isSetMask = true>                                                      \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,  \
                                          const T& scalarValue, const int32_t& count) {          \
    detail::vector_scalar<toprope::isa::VectorScalar::Name>(dst, src, scalarValue,               \
                                                            detail::elements(isSetMask, count)); \
  }                                                                                              \
  template <class T, class U, bool isSetMask = true, detail::IfElement<T, U> = true>             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,  \
                                          const U& scalarValue, const int32_t& count) {          \
    detail::vector_scalar<toprope::isa::VectorScalar::Name>(dst, src, scalarValue,               \
                                                            detail::elements(isSetMask, count)); \
  }
#define TOPROPE_REPEAT_FORMS(Name, Mask)                                                        \
  template <class T, bool isSetMask = true>                                                     \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                                          const T& scalarValue, Mask, const uint8_t repeatTime, \
                                          const UnaryRepeatParams& repeatParams) {              \
    detail::vector_scalar<toprope::isa::VectorScalar::Name>(                                    \
        dst, src, scalarValue, detail::repeats(isSetMask, mask, repeatTime), repeatParams);     \
  }                                                                                             \
  template <class T, class U, bool isSetMask = true, detail::IfElement<T, U> = true>            \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                                          const U& scalarValue, Mask, const uint8_t repeatTime, \
                                          const UnaryRepeatParams& repeatParams) {              \
    detail::vector_scalar<toprope::isa::VectorScalar::Name>(                                    \
        dst, src, scalarValue, detail::repeats(isSetMask, mask, repeatTime), repeatParams);     \
  }
#define TOPROPE_SHIFT_RIGHT(Mask)                                                                          \
  template <class T, bool isSetMask = true>                                                                \
  [[gnu::always_inline]] inline void ShiftRight(                                                           \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, Mask,                    \
      const uint8_t repeatTime, const UnaryRepeatParams& repeatParams, bool roundEn = false) {             \
    detail::shift_right(dst, src, scalarValue, detail::repeats(isSetMask, mask, repeatTime), repeatParams, \
                        roundEn);                                                                          \
  }                                                                                                        \
  template <class T, class U, bool isSetMask = true, detail::IfElement<T, U> = true>                       \
  [[gnu::always_inline]] inline void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,      \
                                                const U& scalarValue, Mask, const uint8_t repeatTime,      \
                                                const UnaryRepeatParams& repeatParams, bool roundEn) {     \
    detail::shift_right(dst, src, scalarValue, detail::repeats(isSetMask, mask, repeatTime), repeatParams, \
                        roundEn);                                                                          \
  }
#define TOPROPE_OP(Name)                            \
  TOPROPE_COUNT_FORMS(Name)                         \
  TOPROPE_REPEAT_FORMS(Name, const uint64_t mask[]) \
  TOPROPE_REPEAT_FORMS(Name, uint64_t mask)
TOPROPE_OP(Adds)
TOPROPE_OP(Muls)
TOPROPE_OP(Maxs)
TOPROPE_OP(Mins)
TOPROPE_OP(LeakyRelu)
TOPROPE_OP(ShiftLeft)
TOPROPE_COUNT_FORMS(ShiftRight)
TOPROPE_SHIFT_RIGHT(const uint64_t mask[])
TOPROPE_SHIFT_RIGHT(uint64_t mask)
#undef TOPROPE_OP
#undef TOPROPE_SHIFT_RIGHT
#undef TOPROPE_REPEAT_FORMS
#undef TOPROPE_COUNT_FORMS

}  // namespace AscendC
