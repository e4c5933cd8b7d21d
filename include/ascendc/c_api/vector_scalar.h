// Functions with a vector and a scalar as sources. Source: C API, vector computation, asc_add_scalar …
// asc_leakyrelu, asc_shiftleft, asc_shiftright, asc_axpy (which reads dst, too).
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/ternary.h"

namespace toprope::c_api {

template <isa::VectorScalar op, class T, class U>
[[gnu::always_inline]] inline void scalar(const isa::VecOperand& dst, const isa::VecOperand& src, U value,
                                          const isa::VecShape& shape) {
  static_assert(std::is_same_v<T, U> && contains(types_of(op), dtype_of<T>),
                "this function does not take these element types on this chip; see its page in the C API");
  toprope::isa::vector_scalar(op, dtype_of<T>, dst, src, isa::scalar_of(value), shape);
}

/// A distance beyond what the element type holds is refused like any other that is too long.
template <isa::VectorScalar op, class T, class U>
[[gnu::always_inline]] inline void shift(const isa::VecOperand& dst, const isa::VecOperand& src,
                                         int64_t distance, const isa::VecShape& shape) {
  const int64_t fits = distance > 127 ? 127 : distance < -1 ? -1 : distance;
  scalar<op, T, U>(dst, src, static_cast<U>(fits), shape);
}

template <isa::Ternary op, class T, class U>
[[gnu::always_inline]] inline void axpy(const isa::VecOperand& dst, const isa::VecOperand& src, U value,
                                        const isa::VecShape& shape) {
  static_assert(isa::takes(op, dtype_of<T>, dtype_of<U>),
                "asc_axpy takes half, float, and half sources of a float destination");
  toprope::isa::axpy(dtype_of<T>, dtype_of<U>, dst, src, isa::scalar_of(value), shape);
}

/// The type of a shift's distance: signed where the elements are, in asc_shiftright.
template <class T>
using Distance = std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>;
template <class T>
using PlainDistance = uint32_t;

}  // namespace toprope::c_api

#define TOPROPE_FORMS(name, Scalar, shape, op)                                                               \
  template <class T, class U>                                                                                \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ U* src, toprope::c_api::Scalar<U> value, \
                                          uint32_t count) {                                                  \
    using namespace toprope::c_api;                                                                          \
    toprope::c_api::shape<op, T, U>(operand(dst), operand(src), value, first(count));                        \
  }                                                                                                          \
  template <class T, class U>                                                                                \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ U* src, toprope::c_api::Scalar<U> value, \
                                          uint8_t repeat, uint16_t dst_block_stride,                         \
                                          uint16_t src_block_stride, uint16_t dst_repeat_stride,             \
                                          uint16_t src_repeat_stride) {                                      \
    using namespace toprope::c_api;                                                                          \
    toprope::c_api::shape<op, T, U>(operand(dst, dst_block_stride, dst_repeat_stride),                       \
                                    operand(src, src_block_stride, src_repeat_stride), value,                \
                                    repeats(repeat));                                                        \
  }                                                                                                          \
  template <class T, class U>                                                                                \
  [[gnu::always_inline]] inline void name##_sync(__ubuf__ T* dst, __ubuf__ U* src,                           \
                                                 toprope::c_api::Scalar<U> value, uint32_t count) {          \
    name(dst, src, value, count);                                                                            \
    toprope::c_api::done();                                                                                  \
  }
TOPROPE_FORMS(asc_add_scalar, Value, scalar, toprope::isa::VectorScalar::Adds)
TOPROPE_FORMS(asc_sub_scalar, Value, scalar, toprope::isa::VectorScalar::Subs)
TOPROPE_FORMS(asc_mul_scalar, Value, scalar, toprope::isa::VectorScalar::Muls)
TOPROPE_FORMS(asc_max_scalar, Value, scalar, toprope::isa::VectorScalar::Maxs)
TOPROPE_FORMS(asc_min_scalar, Value, scalar, toprope::isa::VectorScalar::Mins)
TOPROPE_FORMS(asc_leakyrelu, Value, scalar, toprope::isa::VectorScalar::LeakyRelu)
TOPROPE_FORMS(asc_axpy, Value, axpy, toprope::isa::Ternary::MulAddDst)
TOPROPE_FORMS(asc_shiftleft, PlainDistance, shift, toprope::isa::VectorScalar::ShiftLeft)
TOPROPE_FORMS(asc_shiftright, Distance, shift, toprope::isa::VectorScalar::ShiftRight)
TOPROPE_FORMS(asc_shiftright_round, Distance, shift, toprope::isa::VectorScalar::ShiftRightRound)
#undef TOPROPE_FORMS
