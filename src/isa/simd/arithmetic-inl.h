// What the arithmetic instructions share: rounding after each documented operation, saturation mode, and the
// fused multiply-add that has the same bits on every target. Per-target include (Highway foreach_target).
#if defined(TOPROPE_SIMD_ARITHMETIC_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_ARITHMETIC_INL_H_
#undef TOPROPE_SIMD_ARITHMETIC_INL_H_
#else
#define TOPROPE_SIMD_ARITHMETIC_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "isa/simd/map-inl.h"
#include "toprope/isa/operand.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
struct Spilled {
  HWY_ALIGN T at[HWY_MAX_BYTES / sizeof(T)];
};

template <class D>
HWY_INLINE Spilled<hn::TFromD<D>> spill(D d, hn::Vec<D> v) {
  Spilled<hn::TFromD<D>> s;
  hn::Store(v, d, s.at);
  return s;
}

/// f of each lane's values, for what a target has no instruction for.
template <class D, class F, class... V>
HWY_INLINE hn::Vec<D> per_lane(D d, F&& f, V... v) {
  Spilled<hn::TFromD<D>> out;
  const size_t lanes = hn::Lanes(d);
  [&](const auto&... in) {
    for (size_t i = 0; i < lanes; ++i) out.at[i] = f(in.at[i]...);
  }(spill(d, v)...);
  return hn::Load(d, out.at);
}

/// a * b + c rounded once. Targets without the instruction take the C library's exact one, so that results
/// never depend on the target.
template <class D, class V>
HWY_INLINE V fused(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  (void)d;
  return hn::MulAdd(a, b, c);
#else
  return per_lane(d, [](float x, float y, float z) { return std::fmaf(x, y, z); }, a, b, c);
#endif
}

/// Arithmetic of element type T in Compute<T> lanes. Saturation mode (Ascend C, boundary values of vector
/// computation): a half result of ±inf becomes ±65504 and NaN 0; integers clamp; float never saturates.
template <class T, bool saturate>
struct Arithmetic {
  using Type = T;
  using D = typename Lanes<T>::D;
  using V = hn::Vec<D>;
  using Lane = hn::TFromD<D>;
  static constexpr bool kFloating = std::is_floating_point_v<Lane>;
  static constexpr bool kClamps = saturate && !kFloating;
  static constexpr bool kElements = false;  ///< V is a vector

  /// The end of an instruction: what is left to do before the result is stored (which rounds it to T).
  static HWY_INLINE V finish(V v) {
    if constexpr (saturate && std::is_same_v<T, Half>) {
      const D d;
      const V most = hn::Set(d, 65504.0f), least = hn::Set(d, -65504.0f);
      v = hn::IfThenElseZero(hn::Eq(v, v), v);
      v = hn::IfThenElse(hn::Gt(v, most), most, v);
      return hn::IfThenElse(hn::Lt(v, least), least, v);
    } else {
      return v;
    }
  }

  /// The end of an operation inside an instruction: the value as T holds it.
  static HWY_INLINE V settle(V v) {
    if constexpr (std::is_same_v<T, Half>)
      return promote(D(), demote(D(), finish(v)));
    else if constexpr (std::is_same_v<T, BFloat>)
      return promote_bfloat(D(), demote_bfloat(D(), v));
    else
      return v;
  }

  static HWY_INLINE V add(V a, V b) {
    if constexpr (kClamps) {
      const V sum = hn::Add(a, b);
      return clamp_if(hn::And(hn::Xor(a, sum), hn::Xor(b, sum)), a, sum);
    } else {
      return hn::Add(a, b);
    }
  }

  static HWY_INLINE V sub(V a, V b) {
    if constexpr (kClamps) {
      const V difference = hn::Sub(a, b);
      return clamp_if(hn::And(hn::Xor(a, b), hn::Xor(a, difference)), a, difference);
    } else {
      return hn::Sub(a, b);
    }
  }

  static HWY_INLINE V mul(V a, V b) {
    if constexpr (kClamps) {
      return per_lane(
          D(),
          [](Lane x, Lane y) {
            constexpr int64_t least = std::numeric_limits<Lane>::min(),
                              most = std::numeric_limits<Lane>::max();
            const int64_t product = int64_t{x} * int64_t{y};
            return static_cast<Lane>(product < least ? least : product > most ? most : product);
          },
          a, b);
    } else {
      return hn::Mul(a, b);
    }
  }

  static HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
  static HWY_INLINE V both(V a, V b) { return hn::And(a, b); }
  static HWY_INLINE V either(V a, V b) { return hn::Or(a, b); }
  static HWY_INLINE V inverted(V a) { return hn::Not(a); }
  static HWY_INLINE V abs(V a) { return hn::Abs(a); }
  static HWY_INLINE V negated(V a) { return hn::Neg(a); }
  static HWY_INLINE V one() { return hn::Set(D(), Lane{1}); }

  // NaN in either operand gives NaN, and +0 is larger than -0: neither is what the host's max instruction
  // does.
  static HWY_INLINE V max(V a, V b) {
    if constexpr (kFloating) {
      const V larger = hn::IfThenElse(hn::Gt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), b));
      return hn::IfThenElse(hn::Eq(a, a), larger, a);  // a NaN in b is what the comparisons leave
    } else {
      return hn::Max(a, b);
    }
  }

  static HWY_INLINE V min(V a, V b) {
    if constexpr (kFloating) {
      const V smaller = hn::IfThenElse(hn::Lt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), b));
      return hn::IfThenElse(hn::Eq(a, a), smaller, a);
    } else {
      return hn::Min(a, b);
    }
  }

  /// max(0, v); NaN stays, -0 becomes +0.
  static HWY_INLINE V relu(V v) {
    const V zero = hn::Zero(D());
    if constexpr (kFloating)
      return hn::IfThenZeroElse(hn::Le(v, zero), v);
    else
      return hn::Max(v, zero);
  }

 private:
  /// `wrapped`, or where `overflow` is negative the end of the range that `a` lies towards.
  static HWY_INLINE V clamp_if(V overflow, V a, V wrapped) {
    const D d;
    const V most = hn::Set(d, std::numeric_limits<Lane>::max());
    return hn::IfThenElse(hn::Lt(overflow, hn::Zero(d)), hn::Xor(hn::BroadcastSignBit(a), most), wrapped);
  }
};

/// The scalar of type T in every lane.
template <class T>
HWY_INLINE typename Lanes<T>::V broadcast(Scalar scalar) {
  const typename Lanes<T>::D d;
  if constexpr (std::is_same_v<T, Half>) {
    const hn::Rebind<uint16_t, typename Lanes<T>::D> du;
    return promote(d, hn::BitCast(typename Lanes<T>::DM(), hn::Set(du, static_cast<uint16_t>(scalar.bits))));
  } else if constexpr (std::is_same_v<T, BFloat>) {
    return promote_bfloat(d, hn::Set(typename Lanes<T>::DM(), static_cast<uint16_t>(scalar.bits)));
  } else {
    T value;
    std::memcpy(&value, &scalar.bits, sizeof value);
    return hn::Set(d, value);
  }
}

/// Calls f.template operator()<DType, storage type, whether saturation mode changes it>() for each type in
/// `set`.
template <DTypeSet set, class F>
void for_each_type(F&& f) {
  if constexpr (contains(set, DType::Half)) f.template operator()<DType::Half, Half, true>();
  if constexpr (contains(set, DType::Float)) f.template operator()<DType::Float, float, false>();
  if constexpr (contains(set, DType::Int16)) f.template operator()<DType::Int16, int16_t, true>();
  if constexpr (contains(set, DType::UInt16)) f.template operator()<DType::UInt16, uint16_t, false>();
  if constexpr (contains(set, DType::Int32)) f.template operator()<DType::Int32, int32_t, true>();
  if constexpr (contains(set, DType::UInt32)) f.template operator()<DType::UInt32, uint32_t, false>();
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
