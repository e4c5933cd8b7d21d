// exp, ln and tanh in float lanes, with the same bits on every target: at most 1 ulp from the exact value,
// and correctly rounded for every half. Highway's own do not treat nan, inf and 0. Polynomials are minimax
// for the relative error of the function, found by exchange in 200-bit arithmetic. Per-target include
// (Highway foreach_target).
#if defined(TOPROPE_SIMD_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_MATH_INL_H_
#undef TOPROPE_SIMD_MATH_INL_H_
#else
#define TOPROPE_SIMD_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>

#include "isa/simd/arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// c[0] + x c[1] + x² c[2] + …
template <class D, class V, class... C>
HWY_INLINE V polynomial(D d, V x, float c0, C... rest) {
  if constexpr (sizeof...(C) == 0) {
    (void)x;
    return hn::Set(d, c0);
  } else {
    return fused(d, polynomial(d, x, rest...), x, hn::Set(d, c0));
  }
}

/// exp(x) = 2^n · exp(r) with |r| ≤ ln2/2; exp(r) = 1 + r · slope. `shifted` holds n + 127 in its low bits:
/// the sum with 1.5·2^23 rounds there.
template <class D, class V>
struct Exponent {
  static constexpr float kShift = 0x1.8p23f + 127;
  V shifted, r, slope, power;
  HWY_INLINE Exponent(D d, V x) {
    shifted = fused(d, x, hn::Set(d, 0x1.715476p+0f), hn::Set(d, kShift));
    const V n = hn::Sub(shifted, hn::Set(d, kShift));
    r = fused(d, n, hn::Set(d, -0x1.62e43p-1f), x);
    r = fused(d, n, hn::Set(d, 0x1.05c61p-29f), r);
    slope = polynomial(d, r, 1.0f, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558f2p-5f, 0x1.1239e2p-7f,
                       0x1.6a2434p-10f);
    power = fused(d, slope, r, hn::Set(d, 1.0f));
  }
  /// 2^n for n + 127 in [1, 254].
  HWY_INLINE V scale(D d) const {
    const hn::RebindToSigned<D> di;
    return hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, shifted)));
  }
};

/// Any x. Results below 2^-126 are rounded once, to denormals.
template <class D, class V>
HWY_NOINLINE V exp_anywhere(D d, V x) {
  const hn::RebindToSigned<D> di;
  V within = hn::IfThenElse(hn::Gt(x, hn::Set(d, 89.0f)), hn::Set(d, 89.0f), x);
  within = hn::IfThenElse(hn::Lt(within, hn::Set(d, -104.0f)), hn::Set(d, -104.0f), within);
  const Exponent<D, V> e(d, within);
  // 2^n as two factors that exist: only the last product rounds or overflows.
  const auto bias = hn::Set(di, 127);
  const auto n = hn::Sub(hn::BitCast(di, e.shifted), hn::BitCast(di, hn::Set(d, Exponent<D, V>::kShift)));
  const auto lower = hn::ShiftRight<1>(n);
  const V first = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(lower, bias)));
  const V second = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(hn::Sub(n, lower), bias)));
  return hn::IfThenElse(hn::Eq(x, x), hn::Mul(hn::Mul(e.power, first), second), x);
}

template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  if (HWY_LIKELY(hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, 87.0f))))) {
    const Exponent<D, V> e(d, x);
    return hn::Mul(e.power, e.scale(d));
  }
  return exp_anywhere(d, x);
}

/// For results that are rounded to half: those from 2^17 on are beyond it, those below 2^-26 are 0. The float
/// is rounded to odd, that is, its last bit says that more follows: otherwise two halves would be rounded up
/// from a tie that the float rounding made.
template <class D, class V>
HWY_INLINE V exp_for_half(D d, V x) {
  const hn::RebindToSigned<D> di;
  const V within = hn::Min(hn::Max(x, hn::Set(d, -18.0f)), hn::Set(d, 12.0f));
  const Exponent<D, V> e(d, within);
  const V rest = fused(d, e.slope, e.r, hn::Sub(hn::Set(d, 1.0f), e.power));
  const auto truncated = hn::Add(hn::BitCast(di, e.power), hn::BroadcastSignBit(hn::BitCast(di, rest)));
  const V odd = hn::BitCast(d, hn::Or(truncated, hn::Set(di, 1)));
  return hn::IfThenElse(hn::Eq(x, x), hn::Mul(odd, e.scale(d)), x);
}

/// ln(1 + f) = f - f²/2 + f³ · cubic(f), and ln2 beyond its first 15 bits.
struct LnForFloat {
  static constexpr float kLn2Rest = 0x1.7f7d1cp-20f;
  template <class D, class V>
  static HWY_INLINE V cubic(D d, V f) {
    return polynomial(d, f, 0x1.555548p-2f, -0x1.000006p-2f, 0x1.99a4b6p-3f, -0x1.555c4ep-3f, 0x1.233726p-3f,
                      -0x1.fc2206p-4f, 0x1.e6f062p-4f, -0x1.de3c1cp-4f, 0x1.1457c4p-4f);
  }
};

/// Coefficients moved in their last places until every half came out correctly rounded.
struct LnForHalf {
  static constexpr float kLn2Rest = 0x1.7f7e14p-20f;
  template <class D, class V>
  static HWY_INLINE V cubic(D d, V f) {
    return polynomial(d, f, 0x1.55579ep-2f, -0x1.000186p-2f, 0x1.98d68ep-3f, -0x1.538402p-3f, 0x1.31752ep-3f,
                      -0x1.243176p-3f, 0x1.645cecp-4f);
  }
};

/// ln of normal positive x, plus `more` times ln2: x = 2^e · (1 + f) with 1 + f in [√½, √2).
template <class For, class D, class V>
HWY_INLINE V ln_normal(D d, V x, V more) {
  const hn::RebindToSigned<D> di;
  const auto bits = hn::BitCast(di, x), root = hn::Set(di, 0x3f3504f3);
  const auto e = hn::ShiftRight<23>(hn::Sub(bits, root));
  const V f = hn::Sub(hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(e))), hn::Set(d, 1.0f));
  const V n = hn::Add(hn::ConvertTo(d, e), more);
  // n times the short first part of ln2 is exact, so the sum rounds once at its end.
  const V square = hn::Mul(f, f);
  V y = hn::Mul(hn::Mul(square, f), For::cubic(d, f));
  y = fused(d, n, hn::Set(d, For::kLn2Rest), y);
  y = fused(d, square, hn::Set(d, -0.5f), y);
  y = hn::Add(f, y);
  return fused(d, n, hn::Set(d, 0x1.62e4p-1f), y);
}

template <class For, class D, class V>
HWY_NOINLINE V ln_anywhere(D d, V x) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto small = hn::Lt(x, hn::Set(d, 0x1p-126f));
  const V scaled = hn::IfThenElse(small, hn::Mul(x, hn::Set(d, 0x1p23f)), x);
  V y = ln_normal<For>(d, scaled, hn::IfThenElseZero(small, hn::Set(d, -23.0f)));
  y = hn::IfThenElse(hn::Gt(x, hn::Zero(d)), y, hn::Set(d, std::numeric_limits<float>::quiet_NaN()));
  y = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Set(d, -infinity), y);
  return hn::IfThenElse(hn::Eq(x, hn::Set(d, infinity)), x, y);
}

template <class For, class D, class V>
HWY_INLINE V ln(D d, V x) {
  const auto usual =
      hn::And(hn::Ge(x, hn::Set(d, 0x1p-126f)), hn::Le(x, hn::Set(d, std::numeric_limits<float>::max())));
  if (HWY_LIKELY(hn::AllTrue(d, usual))) return ln_normal<For>(d, x, hn::Zero(d));
  return ln_anywhere<For>(d, x);
}

/// At most 2 ulp: x + x³ · p(x²) around 0 (interpolated at Chebyshev nodes in 200-bit arithmetic), elsewhere
/// 1 - 2 / (exp(2|x|) + 1).
template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  const V a = hn::Abs(x), one = hn::Set(d, 1.0f), square = hn::Mul(x, x);
  const V p = polynomial(d, square, -0x1.555556p-2f, 0x1.111102p-3f, -0x1.ba132p-5f, 0x1.656372p-6f,
                         -0x1.16af2ep-7f, 0x1.47130cp-9f);
  const V near = fused(d, hn::Mul(x, square), p, x);
  const V e = exp(d, hn::Add(hn::Min(a, hn::Set(d, 20.0f)), hn::Min(a, hn::Set(d, 20.0f))));
  const V far = hn::Sub(one, hn::Div(hn::Set(d, 2.0f), hn::Add(e, one)));
  const V y = hn::IfThenElse(hn::Lt(a, hn::Set(d, 0.55f)), near, hn::CopySign(far, x));
  return hn::IfThenElse(hn::Eq(x, x), y, x);
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
