// Functions with two vectors as sources: arithmetic, logic, and the compound ones. asc_fma, asc_mul_add and
// asc_mul_add_relu read dst, too. Source: C API, vector computation, asc_add … asc_mul_cast_half2uint8.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compound.h"
#include "toprope/isa/ternary.h"

namespace toprope::c_api {

template <isa::Binary op, class T, class U>
[[gnu::always_inline]] inline void binary(const isa::VecOperand& dst, const isa::VecOperand& src0,
                                          const isa::VecOperand& src1, const isa::VecShape& shape) {
  static_assert(std::is_same_v<T, U> && contains(types_of(op), dtype_of<T>),
                "this function does not take these element types on this chip; see its page in the C API");
  toprope::isa::binary(op, dtype_of<T>, dst, src0, src1, shape);
}

/// asc_add_relu and asc_sub_relu, which may also convert.
template <bool subtract, class T, class U>
[[gnu::always_inline]] inline void relu(const isa::VecOperand& dst, const isa::VecOperand& src0,
                                        const isa::VecOperand& src1, const isa::VecShape& shape) {
  if constexpr (std::is_same_v<T, U>) {
    binary<subtract ? isa::Binary::SubRelu : isa::Binary::AddRelu, T, U>(dst, src0, src1, shape);
  } else {
    static_assert(isa::has_relu_cast(dtype_of<T>, dtype_of<U>),
                  "this function does not take these element types on this chip; see its page in the C API");
    toprope::isa::add_relu_cast(subtract, dtype_of<T>, dst, dtype_of<U>, src0, src1, shape);
  }
}

template <isa::Ternary op, class T, class U>
[[gnu::always_inline]] inline void ternary(const isa::VecOperand& dst, const isa::VecOperand& src0,
                                           const isa::VecOperand& src1, const isa::VecShape& shape) {
  static_assert(isa::takes(op, dtype_of<T>, dtype_of<U>),
                "this function does not take these element types on this chip; see its page in the C API");
  toprope::isa::ternary(op, dtype_of<T>, dtype_of<U>, dst, src0, src1, shape);
}

template <DType to, class T, class U>
[[gnu::always_inline]] inline void mul_cast(const isa::VecOperand& dst, const isa::VecOperand& src0,
                                            const isa::VecOperand& src1, const isa::VecShape& shape) {
  static_assert(dtype_of<T> == to && dtype_of<U> == DType::Half,
                "this function takes half sources and a destination of the type in its name");
  toprope::isa::mul_cast(to, dst, src0, src1, shape);
}

}  // namespace toprope::c_api

#define TOPROPE_FORMS(name, shape, parameter)                                                         \
  template <class T, class U>                                                                         \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ U* src0, __ubuf__ U* src1,        \
                                          uint32_t count) {                                           \
    using namespace toprope::c_api;                                                                   \
    toprope::c_api::shape<parameter, T, U>(operand(dst), operand(src0), operand(src1), first(count)); \
  }                                                                                                   \
  template <class T, class U>                                                                         \
  [[gnu::always_inline]] inline void name(                                                            \
      __ubuf__ T* dst, __ubuf__ U* src0, __ubuf__ U* src1, uint8_t repeat, uint8_t dst_block_stride,  \
      uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,                \
      uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {                                       \
    using namespace toprope::c_api;                                                                   \
    toprope::c_api::shape<parameter, T, U>(operand(dst, dst_block_stride, dst_repeat_stride),         \
                                           operand(src0, src0_block_stride, src0_repeat_stride),      \
                                           operand(src1, src1_block_stride, src1_repeat_stride),      \
                                           repeats(repeat));                                          \
  }                                                                                                   \
  template <class T, class U>                                                                         \
  [[gnu::always_inline]] inline void name##_sync(__ubuf__ T* dst, __ubuf__ U* src0, __ubuf__ U* src1, \
                                                 uint32_t count) {                                    \
    name(dst, src0, src1, count);                                                                     \
    toprope::c_api::done();                                                                           \
  }
TOPROPE_FORMS(asc_add, binary, toprope::isa::Binary::Add)
TOPROPE_FORMS(asc_sub, binary, toprope::isa::Binary::Sub)
TOPROPE_FORMS(asc_mul, binary, toprope::isa::Binary::Mul)
TOPROPE_FORMS(asc_div, binary, toprope::isa::Binary::Div)
TOPROPE_FORMS(asc_max, binary, toprope::isa::Binary::Max)
TOPROPE_FORMS(asc_min, binary, toprope::isa::Binary::Min)
TOPROPE_FORMS(asc_and, binary, toprope::isa::Binary::And)
TOPROPE_FORMS(asc_or, binary, toprope::isa::Binary::Or)
TOPROPE_FORMS(asc_add_relu, relu, false)
TOPROPE_FORMS(asc_sub_relu, relu, true)
TOPROPE_FORMS(asc_fma, ternary, toprope::isa::Ternary::MulAddDst)
TOPROPE_FORMS(asc_mul_add, ternary, toprope::isa::Ternary::FusedMulAdd)
TOPROPE_FORMS(asc_mul_add_relu, ternary, toprope::isa::Ternary::MulAddRelu)
TOPROPE_FORMS(asc_mul_cast_half2int8, mul_cast, toprope::DType::Int8)
TOPROPE_FORMS(asc_mul_cast_half2uint8, mul_cast, toprope::DType::UInt8)
#undef TOPROPE_FORMS
