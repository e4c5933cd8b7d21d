// Conversions in vectors: every type that float holds exactly goes through float lanes; the rounding is in
// the way out. Per-target include (Highway foreach_target).
#if defined(TOPROPE_SIMD_CONVERT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_CONVERT_INL_H_
#undef TOPROPE_SIMD_CONVERT_INL_H_
#else
#define TOPROPE_SIMD_CONVERT_INL_H_
#endif

#include <hwy/highway.h>

#include "isa/simd/half-inl.h"
#include "toprope/isa/cast.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<DF>;
using DU = hn::RebindToUnsigned<DF>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

/// How an element lies in memory.
template <DType t>
struct Stored;
template <>
struct Stored<DType::Half> {
  using type = Half;
};
template <>
struct Stored<DType::Float> {
  using type = float;
};
template <>
struct Stored<DType::BFloat16> {
  using type = uint16_t;
};
template <>
struct Stored<DType::Int8> {
  using type = int8_t;
};
template <>
struct Stored<DType::UInt8> {
  using type = uint8_t;
};
template <>
struct Stored<DType::Int16> {
  using type = int16_t;
};
template <>
struct Stored<DType::Int32> {
  using type = int32_t;
};
template <>
struct Stored<DType::Int64> {
  using type = int64_t;
};
template <DType t>
using StoredT = typename Stored<t>::type;

/// One vector's worth of elements as float lanes, exact.
template <DType t>
HWY_INLINE VF read(const StoredT<t>* p) {
  const DF d;
  const auto raw = hn::LoadU(hn::Rebind<StoredT<t>, DF>(), p);
  if constexpr (t == DType::Float)
    return raw;
  else if constexpr (t == DType::Half)
    return promote(d, raw);
  else if constexpr (t == DType::BFloat16)
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(DU(), raw)));
  else
    return hn::ConvertTo(d, hn::PromoteTo(DI(), raw));
}

/// To an integral float. Every lane's fraction is exact, so ties are seen exactly.
template <Round r, class V>
HWY_INLINE V integral(V v) {
  const hn::DFromV<V> d;
  if constexpr (r == Round::Floor)
    return hn::Floor(v);
  else if constexpr (r == Round::Ceil)
    return hn::Ceil(v);
  else if constexpr (r == Round::Trunc)
    return hn::Trunc(v);
  else if constexpr (r == Round::Round) {
    const V whole = hn::Trunc(v);
    const auto away = hn::Ge(hn::Abs(hn::Sub(v, whole)), hn::Set(d, 0.5f));
    return hn::IfThenElse(away, hn::Add(whole, hn::CopySign(hn::Set(d, 1.0f), v)), whole);
  } else
    return hn::Round(v);
}

/// Integral floats to integers in [low, high], which int32_t lanes hold; NaN to 0.
HWY_INLINE VI clamped(VF v, float low, float high) {
  const DF d;
  v = hn::IfThenZeroElse(hn::IsNaN(v), v);
  return hn::ConvertTo(DI(), hn::Min(hn::Max(v, hn::Set(d, low)), hn::Set(d, high)));
}

/// Integral floats to int32_t, clamped; NaN to 0.
HWY_INLINE VI to_int32(VF v) {
  const DI di;
  const VI inside = clamped(v, -0x1p31f, 0x1.fffffep30f);
  return hn::IfThenElse(hn::RebindMask(di, hn::Ge(v, hn::Set(DF(), 0x1p31f))), hn::Set(di, 0x7fffffff),
                        inside);
}

/// What is added to a magnitude before `bits` low bits are cut off.
template <Round r, int bits>
HWY_INLINE VI increment(VI magnitude, hn::Mask<DI> negative) {
  const DI di;
  constexpr int32_t all = (1 << bits) - 1;
  if constexpr (r == Round::Floor)
    return hn::IfThenElseZero(negative, hn::Set(di, all));
  else if constexpr (r == Round::Ceil)
    return hn::IfThenZeroElse(negative, hn::Set(di, all));
  else if constexpr (r == Round::Round)
    return hn::Set(di, 1 << (bits - 1));
  else if constexpr (r == Round::Trunc || r == Round::Odd)
    return hn::Zero(di);
  else
    return hn::Add(hn::Set(di, all >> 1), hn::And(hn::ShiftRight<bits>(magnitude), hn::Set(di, 1)));
}

/// Float lanes to half bits in 32-bit lanes, in any rounding mode.
template <Round r>
HWY_INLINE VI half_bits(VF v) {
  const DF d;
  const DI di;
  const VI x = hn::BitCast(di, v);
  const VI m = hn::And(x, hn::Set(di, 0x7fffffff));
  const auto negative = hn::Lt(x, hn::Zero(di));
  VI normal = hn::ShiftRight<13>(hn::Add(m, increment<r, 13>(m, negative)));
  if constexpr (r == Round::Odd)
    normal = hn::Or(
        normal, hn::IfThenZeroElse(hn::Eq(hn::And(m, hn::Set(di, 0x1fff)), hn::Zero(di)), hn::Set(di, 1)));
  normal = hn::Sub(normal, hn::Set(di, 112 << 10));
  // Below 2^-14 a half counts units of 2^-24; scaled by that the fraction is what is cut off.
  const VF scaled = hn::Mul(hn::BitCast(d, m), hn::Set(d, 0x1p24f));
  VI small;
  if constexpr (r == Round::Floor || r == Round::Ceil) {
    const auto up = r == Round::Floor ? hn::RebindMask(d, negative) : hn::Not(hn::RebindMask(d, negative));
    small = hn::ConvertTo(di, hn::IfThenElse(up, hn::Ceil(scaled), hn::Floor(scaled)));
  } else if constexpr (r == Round::Odd) {
    const VF whole = hn::Trunc(scaled);
    const auto inexact = hn::RebindMask(di, hn::Ne(whole, scaled));
    small = hn::Or(hn::ConvertTo(di, whole), hn::IfThenElseZero(inexact, hn::Set(di, 1)));
  } else {
    small = hn::ConvertTo(di, integral<r>(scaled));
  }
  VI bits = hn::IfThenElse(hn::Lt(m, hn::Set(di, 0x38800000)), small, hn::Min(normal, hn::Set(di, 0x7c00)));
  bits = hn::IfThenElse(hn::Gt(m, hn::Set(di, 0x7f800000)), hn::Set(di, 0x7e00), bits);
  return hn::Or(bits, hn::IfThenElseZero(negative, hn::Set(di, 0x8000)));
}

/// Float lanes to bfloat16 bits in 32-bit lanes.
template <Round r>
HWY_INLINE VI bfloat16_bits(VF v) {
  const DI di;
  const VI x = hn::BitCast(di, v);
  const VI m = hn::And(x, hn::Set(di, 0x7fffffff));
  const auto negative = hn::Lt(x, hn::Zero(di));
  const VI rounded = hn::ShiftRight<16>(hn::Add(m, increment<r, 16>(m, negative)));
  const VI bits = hn::IfThenElse(hn::Gt(m, hn::Set(di, 0x7f800000)), hn::Set(di, 0x7fc0), rounded);
  return hn::Or(bits, hn::IfThenElseZero(negative, hn::Set(di, 0x8000)));
}

/// Saturation mode of a 16-bit floating-point result: NaN to 0, the rest into ±most.
HWY_INLINE VF saturated(VF v, float most) {
  const DF d;
  v = hn::IfThenZeroElse(hn::IsNaN(v), v);
  return hn::Min(hn::Max(v, hn::Set(d, -most)), hn::Set(d, most));
}

/// Float lanes into memory as another type.
template <DType t, Round r, bool saturate>
HWY_INLINE void write(VF v, StoredT<t>* p) {
  const DF d;
  const hn::Rebind<StoredT<t>, DF> dm;
  if constexpr (t == DType::Half) {
    if constexpr (saturate) v = saturated(v, 65504.0f);
    if constexpr (r == Round::None || r == Round::Rint)
      hn::StoreU(demote(d, v), dm, p);
    else
      hn::StoreU(hn::BitCast(dm, hn::DemoteTo(hn::Rebind<uint16_t, DF>(), half_bits<r>(v))), dm, p);
  } else if constexpr (t == DType::BFloat16) {
    if constexpr (saturate) v = saturated(v, 0x1.fep127f);
    hn::StoreU(hn::DemoteTo(dm, bfloat16_bits<r>(v)), dm, p);
  } else if constexpr (t == DType::Float) {
    hn::StoreU(v, dm, p);
  } else if constexpr (t == DType::Int32) {
    hn::StoreU(to_int32(integral<r>(v)), dm, p);
  } else {
    constexpr float low = t == DType::Int16 ? -32768.0f : t == DType::Int8 ? -128.0f : 0.0f;
    constexpr float high = t == DType::Int16 ? 32767.0f : t == DType::Int8 ? 127.0f : 255.0f;
    hn::StoreU(hn::DemoteTo(dm, clamped(integral<r>(v), low, high)), dm, p);
  }
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
