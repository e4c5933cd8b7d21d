// Conversions between element types, alone or behind an addition, and dequantisation.
// Source: Ascend C API, memory vector computation, type conversion, AddReluCast, SubReluCast, CastDequant,
// SetDeqScale.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/cast.h"

namespace AscendC {

enum class RoundMode {
  CAST_NONE = 0,  ///< CAST_RINT where precision is lost
  CAST_RINT,      ///< to nearest, ties to even
  CAST_FLOOR,     ///< towards -inf
  CAST_CEIL,      ///< towards +inf
  CAST_ROUND,     ///< to nearest, ties away from zero
  CAST_TRUNC,     ///< towards zero
  CAST_ODD,       ///< inexact results get an odd last bit
  CAST_HYBRID     ///< hifloat8_t only, which this chip does not have
};

namespace detail {

template <class T, class U>
[[gnu::always_inline]] inline void cast(const LocalTensor<T>& dst, const LocalTensor<U>& src, RoundMode mode,
                                        const toprope::isa::VecShape& shape, const UnaryRepeatParams& p) {
  constexpr toprope::DType to = toprope::dtype_of<PrimT<T>>, from = toprope::dtype_of<PrimT<U>>;
  static_assert(
      toprope::isa::rounds_of(to, from) != 0,
      "Cast does not convert between these element types on this chip; see its page in the Ascend C API");
  toprope::isa::cast(to, operand(dst, p.dstBlkStride, p.dstRepStride), from,
                     operand(src, p.srcBlkStride, p.srcRepStride), static_cast<toprope::isa::Round>(mode),
                     shape);
}

template <bool subtract, class T, class U>
[[gnu::always_inline]] inline void relu_cast(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                             const LocalTensor<U>& src1, const toprope::isa::VecShape& shape,
                                             const BinaryRepeatParams& p) {
  constexpr toprope::DType to = toprope::dtype_of<PrimT<T>>, from = toprope::dtype_of<PrimT<U>>;
  static_assert(
      toprope::isa::has_relu_cast(to, from),
      "AddReluCast and SubReluCast convert half or int16_t to int8_t, and float to half, on this chip");
  toprope::isa::add_relu_cast(subtract, to, operand(dst, p.dstBlkStride, p.dstRepStride), from,
                              operand(src0, p.src0BlkStride, p.src0RepStride),
                              operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

template <bool isVecDeq, bool halfBlock, class T, class U>
[[gnu::always_inline]] inline void cast_dequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                const toprope::isa::VecShape& shape,
                                                const UnaryRepeatParams& p) {
  constexpr toprope::DType to = toprope::dtype_of<PrimT<T>>, from = toprope::dtype_of<PrimT<U>>;
  constexpr bool to_half = from == toprope::DType::Int32 && to == toprope::DType::Half;
  static_assert(to_half || (from == toprope::DType::Int16 &&
                            (to == toprope::DType::Int8 || to == toprope::DType::UInt8)),
                "CastDequant converts int16_t to int8_t or uint8_t, and int32_t to half");
  if constexpr (to_half)
    toprope::isa::cast(to, operand(dst, p.dstBlkStride, p.dstRepStride), from,
                       operand(src, p.srcBlkStride, p.srcRepStride), toprope::isa::Round::Rint, shape);
  else
    toprope::isa::cast_dequant(to, operand(dst, p.dstBlkStride, p.dstRepStride),
                               operand(src, p.srcBlkStride, p.srcRepStride), isVecDeq, halfBlock, shape);
}

}  // namespace detail

/// dst[i] = src[i] in another type. Of int4b_t an even number of elements is converted.
template <class T, class U>
[[gnu::always_inline]] inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const RoundMode& roundMode, const uint32_t count) {
  detail::cast(dst, src, roundMode, detail::first(count), {});
}
/// The wider type decides what a repeat and the mask hold: half to int32_t has 64 elements a repeat, with
/// dstRepStride 8 and srcRepStride 4 for operands without gaps.
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const RoundMode& roundMode, const uint64_t mask[],
                                        const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  detail::cast(dst, src, roundMode, detail::repeats(isSetMask, mask, repeatTime), repeatParams);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Cast(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                        const RoundMode& roundMode, const uint64_t mask,
                                        const uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  detail::cast(dst, src, roundMode, detail::repeats(isSetMask, mask, repeatTime), repeatParams);
}

/// dst = Cast(max(0, src0 ± src1)).
#define TOPROPE_OP(Name, subtract)                                                                        \
  template <class T, class U>                                                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0,          \
                                          const LocalTensor<U>& src1, const uint32_t count) {             \
    detail::relu_cast<subtract>(dst, src0, src1, detail::first(count), {});                               \
  }                                                                                                       \
  template <class T, class U, bool isSetMask = true>                                                      \
  [[gnu::always_inline]] inline void Name(                                                                \
      const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask[], \
      const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                 \
    detail::relu_cast<subtract>(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime),            \
                                repeatParams);                                                            \
  }                                                                                                       \
  template <class T, class U, bool isSetMask = true>                                                      \
  [[gnu::always_inline]] inline void Name(                                                                \
      const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, uint64_t mask,   \
      const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                 \
    detail::relu_cast<subtract>(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime),            \
                                repeatParams);                                                            \
  }
TOPROPE_OP(AddReluCast, false)
TOPROPE_OP(SubReluCast, true)
#undef TOPROPE_OP

/// The 16 parameter sets of vector dequantisation.
struct VdeqInfo {
  VdeqInfo() = default;
  VdeqInfo(const float (&scale)[16], const int16_t (&offset)[16], const bool (&sign)[16]) {
    for (int i = 0; i < 16; ++i)
      vdeqScale[i] = scale[i], vdeqOffset[i] = offset[i], vdeqSignMode[i] = sign[i];
  }
  float vdeqScale[16] = {};
  int16_t vdeqOffset[16] = {};
  bool vdeqSignMode[16] = {};
};

/// For int32_t to half: Cast, CastDequant, AddDeqRelu.
[[gnu::always_inline]] inline void SetDeqScale(half scale) {
  toprope::core().vector.deq_scale = scale.bits();
}
/// For CastDequant without vector dequantisation. The unit keeps 10 mantissa bits of the scale and 9 bits of
/// the offset.
[[gnu::always_inline]] inline void SetDeqScale(float scale, int16_t offset, bool signMode) {
  toprope::core().vector.deq_scale = toprope::isa::dequant_word(scale, offset, signMode);
}
/// For CastDequant with vector dequantisation: fills vdeq (128 bytes) and remembers its place.
template <class T>
[[gnu::always_inline]] inline void SetDeqScale(const LocalTensor<T>& vdeq, const VdeqInfo& vdeqInfo) {
  static_assert(sizeof(PrimT<T>) == 8, "vdeq is a tensor of uint64_t");
  uint64_t words[16];
  for (int i = 0; i < 16; ++i)
    words[i] =
        toprope::isa::dequant_word(vdeqInfo.vdeqScale[i], vdeqInfo.vdeqOffset[i], vdeqInfo.vdeqSignMode[i]);
  toprope::isa::set_dequant_words(vdeq.slice(), words);
}

/// Results of 16 elements go into the upper (halfBlock) or lower half of a DataBlock of dst.
template <class T, class U, bool isVecDeq = true, bool halfBlock = true>
[[gnu::always_inline]] inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                               const uint32_t count) {
  detail::cast_dequant<isVecDeq, halfBlock>(dst, src, detail::first(count), {});
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
[[gnu::always_inline]] inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                               const uint64_t mask[], uint8_t repeatTime,
                                               const UnaryRepeatParams& repeatParams) {
  detail::cast_dequant<isVecDeq, halfBlock>(dst, src, detail::repeats(isSetMask, mask, repeatTime),
                                            repeatParams);
}
template <class T, class U, bool isSetMask = true, bool isVecDeq = true, bool halfBlock = true>
[[gnu::always_inline]] inline void CastDequant(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                               const int32_t mask, uint8_t repeatTime,
                                               const UnaryRepeatParams& repeatParams) {
  detail::cast_dequant<isVecDeq, halfBlock>(
      dst, src, detail::repeats(isSetMask, static_cast<uint64_t>(mask > 0 ? mask : 0), repeatTime),
      repeatParams);
}

}  // namespace AscendC
