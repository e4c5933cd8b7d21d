// Semantics of the one-source instructions. One struct is one instruction: `lanes` works on vectors of the
// type it is computed in, or on single integers, whose loops the compiler vectorises; half is computed in
// float and rounded once, and is then correctly rounded for all of its values. Per-target include (Highway
// foreach_target).
#if defined(TOPROPE_SIMD_UNARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_UNARY_INL_H_
#undef TOPROPE_SIMD_UNARY_INL_H_
#else
#define TOPROPE_SIMD_UNARY_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"
#include "isa/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Abs {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return A::abs(a);
  }
  /// half needs no conversion where no rounding and no saturation take part.
  template <class D, class V>
  static HWY_INLINE V half_bits(D d, V a) {
    return hn::And(a, hn::Set(d, 0x7fff));
  }
};

struct Exp {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    if constexpr (std::is_same_v<typename A::Type, Half>)
      return exp_for_half(typename A::D(), a);
    else
      return exp(typename A::D(), a);
  }
};

struct Ln {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    if constexpr (A::kElements) {  // towards zero; of what has no logarithm 0
      return static_cast<V>(a > 0 ? std::log(static_cast<double>(a)) : 0.0);
    } else {
      using For = std::conditional_t<std::is_same_v<typename A::Type, Half>, LnForHalf, LnForFloat>;
      return ln<For>(typename A::D(), a);
    }
  }
};

struct Sqrt {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return hn::Sqrt(a);
  }
};

// The device's own Rsqrt and Reciprocal are documented as less exact than 2e-3 (half) and 2e-4 (float).
struct Rsqrt {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return hn::Div(hn::Set(typename A::D(), 1.0f), hn::Sqrt(a));
  }
};

struct Reciprocal {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return A::div(A::one(), a);
  }
};

struct Relu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return A::relu(a);
  }
  /// As signed integers the negative halves run from -0 (0x8000) to -inf (0xfc00); beyond lie NaNs.
  template <class D, class V>
  static HWY_INLINE V half_bits(D d, V a) {
    return hn::IfThenZeroElse(hn::Lt(a, hn::Set(d, static_cast<int16_t>(0xfc01 - 0x10000))), a);
  }
};

struct Not {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return A::inverted(a);
  }
};

struct Neg {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return A::negated(a);
  }
};

/// 1 / (1 + exp(-a)), through exp(-|a|) so that neither end of the range loses its denormals.
struct Sigmoid {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    const typename A::D d;
    const V e = exp(d, hn::Neg(hn::Abs(a)));
    const V s =
        hn::Div(hn::IfThenElse(hn::Lt(a, hn::Zero(d)), e, hn::Set(d, 1.0f)), hn::Add(e, hn::Set(d, 1.0f)));
    return hn::IfThenElse(hn::Eq(a, a), s, a);
  }
};

struct Tanh {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return tanh(typename A::D(), a);
  }
};

}  // namespace
}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
