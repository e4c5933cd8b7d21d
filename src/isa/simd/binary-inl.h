// Semantics of the two-source instructions. One struct is one instruction: `lanes` works on vectors of the
// type it is computed in (half is computed in float and rounded once, which is exact rounding for + - * /),
// or on single integers, whose loops the compiler vectorises. Per-target include (Highway foreach_target).
#if defined(TOPROPE_SIMD_BINARY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_BINARY_INL_H_
#undef TOPROPE_SIMD_BINARY_INL_H_
#else
#define TOPROPE_SIMD_BINARY_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"
#include "isa/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Add {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::add(a, b);
  }
};

struct Sub {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::sub(a, b);
  }
};

struct Mul {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::mul(a, b);
  }
};

struct Div {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::div(a, b);
  }
};

struct Max {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::max(a, b);
  }
};

struct Min {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::min(a, b);
  }
};

struct And {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::both(a, b);
  }
};

struct Or {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::either(a, b);
  }
};

// Relu of the sum as half holds it is the half of the Relu: one rounding is enough.
struct AddRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::relu(A::add(a, b));
  }
};

struct SubRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::relu(A::sub(a, b));
  }
};

struct Xor {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::differ(a, b);
  }
};

struct Shl {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::shift_left(a, b);
  }
};

struct Shr {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::shift_right(a, b);
  }
};

/// The remainder of a division rounded towards zero: it has the dividend's sign, and is exact.
struct Fmod {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    if constexpr (A::kElements)
      return A::fmod(a, b);
    else
      return per_lane(typename A::D(), [](float x, float y) { return std::fmod(x, y); }, a, b);
  }
};

/// The remainder of a division rounded towards -inf: it has the divisor's sign.
struct Rem {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    auto with_sign_of = [](auto rest, auto y) {
      return rest != 0 && (rest < 0) != (y < 0) ? static_cast<decltype(y)>(rest + y) : rest;
    };
    if constexpr (A::kElements) {
      return with_sign_of(A::fmod(a, b), b);
    } else {
      auto of = [&](float x, float y) {
        const float rest = std::fmod(x, y);
        return rest == 0 ? std::copysign(rest, y) : with_sign_of(rest, y);
      };
      return per_lane(typename A::D(), of, a, b);
    }
  }
};

/// Integers: the power modulo the type's size; a negative exponent gives the truncated quotient 1 /
/// base^-exponent.
struct Pow {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    if constexpr (A::kElements) {
      return A::power(a, b);
    } else {
      auto of = [](float x, float y) {
        return static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
      };
      return per_lane(typename A::D(), of, a, b);
    }
  }
};

/// a where it is positive, otherwise a times the slope b.
struct Prelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    if constexpr (A::kElements)
      return a > 0 ? a : A::mul(a, b);
    else
      return hn::IfThenElse(hn::Gt(a, hn::Zero(typename A::D())), a, A::mul(a, b));
  }
};

/// exp(a - b), the difference rounded as an instruction of its own.
struct ExpDif {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    const typename A::D d;
    if constexpr (std::is_same_v<typename A::Type, Half>)
      return exp_for_half(d, A::settle(A::sub(a, b)));
    else
      return exp(d, A::settle(A::sub(a, b)));
  }
};

}  // namespace
}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
