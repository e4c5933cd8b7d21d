// Functions with one vector as source: element-wise arithmetic, conversions, copies in UB. In a conversion's
// name the ending is the rounding: rn to nearest even, rna to nearest away from zero, rd down, ru up, rz to
// zero, ro to odd; without one it is exact, or as rn where it cannot be. Elements of int4b_t lie two in a
// byte and come in pairs. Source: C API, vector computation, asc_abs … asc_vdeq_int162b8.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/unary.h"

namespace toprope::c_api {

template <isa::Unary op, class T, class U>
[[gnu::always_inline]] inline void unary(const isa::VecOperand& dst, const isa::VecOperand& src,
                                         const isa::VecShape& shape) {
  static_assert(std::is_same_v<T, U> && contains(types_of(op), dtype_of<T>),
                "this function does not take these element types on this chip; see its page in the C API");
  toprope::isa::unary(op, dtype_of<T>, dst, src, shape);
}

/// A conversion as its name says it.
template <DType from, DType to, isa::Round round>
struct Conversion {};

template <class Named, class T, class U>
struct ConversionOf;
template <DType from, DType to, isa::Round round, class T, class U>
struct ConversionOf<Conversion<from, to, round>, T, U> {
  static_assert(dtype_of<T> == to && dtype_of<U> == from,
                "the pointers' types are those in the function's name");
  static_assert((isa::rounds_of(to, from) & one(round)) != 0);
  [[gnu::always_inline]] static void run(const isa::VecOperand& dst, const isa::VecOperand& src,
                                         const isa::VecShape& shape) {
    toprope::isa::cast(to, dst, from, src, round, shape);
  }
};

/// int16_t to 8 bits with the parameters of asc_set_deq_scale, `vector` for each element of a block its own,
/// into the `upper` or lower half of each block of dst.
template <bool vector, bool upper>
struct Dequantisation {};
template <bool vector, bool upper, class T, class U>
struct ConversionOf<Dequantisation<vector, upper>, T, U> {
  static_assert(dtype_of<U> == DType::Int16 && (dtype_of<T> == DType::Int8 || dtype_of<T> == DType::UInt8),
                "this function takes int16_t sources and a destination of int8_t or uint8_t");
  [[gnu::always_inline]] static void run(const isa::VecOperand& dst, const isa::VecOperand& src,
                                         const isa::VecShape& shape) {
    toprope::isa::cast_dequant(dtype_of<T>, dst, src, vector, upper, shape);
  }
};

template <class Named, class T, class U>
[[gnu::always_inline]] inline void convert(const isa::VecOperand& dst, const isa::VecOperand& src,
                                           const isa::VecShape& shape) {
  ConversionOf<Named, T, U>::run(dst, src, shape);
}

inline constexpr DTypeSet kCopyTypes = types::I16 | types::U16 | types::I32 | types::U32;

template <DTypeSet set, class T, class U>
[[gnu::always_inline]] inline void copy(const isa::VecOperand& dst, const isa::VecOperand& src,
                                        const isa::VecShape& shape) {
  static_assert(std::is_same_v<T, U> && contains(set, dtype_of<T>),
                "asc_copy takes 16-bit and 32-bit integers");
  toprope::isa::copy_masked(dtype_of<T>, dst, src, shape);
}

}  // namespace toprope::c_api

#define TOPROPE_FORMS(name, shape, ...)                                                              \
  template <class T, class U>                                                                        \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ U* src, uint32_t count) {        \
    using namespace toprope::c_api;                                                                  \
    toprope::c_api::shape<__VA_ARGS__, T, U>(operand(dst), operand(src), first(count));              \
  }                                                                                                  \
  template <class T, class U>                                                                        \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ U* src, uint8_t repeat,          \
                                          uint16_t dst_block_stride, uint16_t src_block_stride,      \
                                          uint16_t dst_repeat_stride, uint16_t src_repeat_stride) {  \
    using namespace toprope::c_api;                                                                  \
    toprope::c_api::shape<__VA_ARGS__, T, U>(operand(dst, dst_block_stride, dst_repeat_stride),      \
                                             operand(src, src_block_stride, src_repeat_stride),      \
                                             repeats(repeat));                                       \
  }                                                                                                  \
  template <class T, class U>                                                                        \
  [[gnu::always_inline]] inline void name##_sync(__ubuf__ T* dst, __ubuf__ U* src, uint32_t count) { \
    name(dst, src, count);                                                                           \
    toprope::c_api::done();                                                                          \
  }

TOPROPE_FORMS(asc_abs, unary, toprope::isa::Unary::Abs)
TOPROPE_FORMS(asc_exp, unary, toprope::isa::Unary::Exp)
TOPROPE_FORMS(asc_log, unary, toprope::isa::Unary::Ln)
TOPROPE_FORMS(asc_sqrt, unary, toprope::isa::Unary::Sqrt)
TOPROPE_FORMS(asc_rsqrt, unary, toprope::isa::Unary::Rsqrt)
TOPROPE_FORMS(asc_rcp, unary, toprope::isa::Unary::Reciprocal)
TOPROPE_FORMS(asc_relu, unary, toprope::isa::Unary::Relu)
TOPROPE_FORMS(asc_not, unary, toprope::isa::Unary::Not)

TOPROPE_FORMS(asc_copy, copy, toprope::c_api::kCopyTypes)

#define TOPROPE_ROUNDED(name, from, to, round) \
  TOPROPE_FORMS(name, convert,                 \
                Conversion<toprope::DType::from, toprope::DType::to, toprope::isa::Round::round>)
#define TOPROPE_DIRECTED(name, from, to)       \
  TOPROPE_ROUNDED(name##_rn, from, to, Rint)   \
  TOPROPE_ROUNDED(name##_rna, from, to, Round) \
  TOPROPE_ROUNDED(name##_rd, from, to, Floor)  \
  TOPROPE_ROUNDED(name##_ru, from, to, Ceil)   \
  TOPROPE_ROUNDED(name##_rz, from, to, Trunc)
TOPROPE_ROUNDED(asc_bfloat162float, BFloat16, Float, None)
TOPROPE_DIRECTED(asc_bfloat162int32, BFloat16, Int32)
TOPROPE_DIRECTED(asc_float2bfloat16, Float, BFloat16)
TOPROPE_DIRECTED(asc_float2float, Float, Float)
TOPROPE_ROUNDED(asc_float2half, Float, Half, None)
TOPROPE_DIRECTED(asc_float2half, Float, Half)
TOPROPE_ROUNDED(asc_float2half_ro, Float, Half, Odd)
TOPROPE_DIRECTED(asc_float2int16, Float, Int16)
TOPROPE_DIRECTED(asc_float2int32, Float, Int32)
TOPROPE_DIRECTED(asc_float2int64, Float, Int64)
TOPROPE_ROUNDED(asc_half2float, Half, Float, None)
TOPROPE_ROUNDED(asc_half2int4, Half, Int4, None)
TOPROPE_DIRECTED(asc_half2int4, Half, Int4)
TOPROPE_ROUNDED(asc_half2int8, Half, Int8, None)
TOPROPE_DIRECTED(asc_half2int8, Half, Int8)
TOPROPE_ROUNDED(asc_half2uint8, Half, UInt8, None)
TOPROPE_DIRECTED(asc_half2uint8, Half, UInt8)
TOPROPE_DIRECTED(asc_half2int16, Half, Int16)
TOPROPE_DIRECTED(asc_half2int32, Half, Int32)
TOPROPE_ROUNDED(asc_int42half, Int4, Half, None)
TOPROPE_ROUNDED(asc_int82half, Int8, Half, None)
TOPROPE_ROUNDED(asc_uint82half, UInt8, Half, None)
TOPROPE_ROUNDED(asc_int162float, Int16, Float, None)
TOPROPE_ROUNDED(asc_int162half, Int16, Half, None)
TOPROPE_DIRECTED(asc_int162half, Int16, Half)
TOPROPE_ROUNDED(asc_int322float, Int32, Float, None)
TOPROPE_DIRECTED(asc_int322float, Int32, Float)
TOPROPE_ROUNDED(asc_int322int16, Int32, Int16, None)
TOPROPE_ROUNDED(asc_int322int64, Int32, Int64, None)
TOPROPE_ROUNDED(asc_int642int32, Int64, Int32, None)
TOPROPE_DIRECTED(asc_int642float, Int64, Float)
// With the scale of asc_set_deq_scale(half).
TOPROPE_ROUNDED(asc_deq_int322half, Int32, Half, None)
#undef TOPROPE_DIRECTED
#undef TOPROPE_ROUNDED

TOPROPE_FORMS(asc_deq_int162b8_h, convert, Dequantisation<false, true>)
TOPROPE_FORMS(asc_deq_int162b8_l, convert, Dequantisation<false, false>)
TOPROPE_FORMS(asc_vdeq_int162b8_h, convert, Dequantisation<true, true>)
TOPROPE_FORMS(asc_vdeq_int162b8_l, convert, Dequantisation<true, false>)
#undef TOPROPE_FORMS

inline constexpr int ASC_VDEQ_SIZE = 16;

/// For asc_deq_int322half.
[[gnu::always_inline]] inline void asc_set_deq_scale(half scale) {
  toprope::core().vector.deq_scale = scale.bits();
}
/// For asc_deq_int162b8; the unit keeps 10 mantissa bits of the scale and 9 bits of the offset.
[[gnu::always_inline]] inline void asc_set_deq_scale(float scale, int16_t offset, bool sign_mode) {
  toprope::core().vector.deq_scale = toprope::isa::dequant_word(scale, offset, sign_mode);
}
/// For asc_vdeq_int162b8; `tmp` is 128 bytes of UB that keep the parameters.
[[gnu::always_inline]] inline void asc_set_deq_scale(__ubuf__ uint64_t* tmp, float scale_arr[ASC_VDEQ_SIZE],
                                                     int16_t offset_arr[ASC_VDEQ_SIZE],
                                                     bool sign_mode_arr[ASC_VDEQ_SIZE]) {
  uint64_t words[ASC_VDEQ_SIZE];
  for (int i = 0; i < ASC_VDEQ_SIZE; ++i)
    words[i] = toprope::isa::dequant_word(scale_arr[i], offset_arr[i], sign_mode_arr[i]);
  toprope::isa::set_dequant_words(toprope::c_api::ub(tmp), words);
}
