// Semantics of the one-source vector instructions. One struct is one instruction: `lanes` works on vectors of
// the type it is computed in; half is computed in float and rounded once, and is then correctly rounded for
// all of its values.
#include "isa/unary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/unary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"
#include "isa/simd/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Abs {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a) {
    return hn::Abs(a);
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
    using For = std::conditional_t<std::is_same_v<typename A::Type, Half>, LnForHalf, LnForFloat>;
    return ln<For>(typename A::D(), a);
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
    return hn::Div(hn::Set(typename A::D(), 1.0f), a);
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
    return hn::Not(a);
  }
};

template <class Op, class T, bool saturate>
void kernel(void* dst, const void* src, size_t n) {
  if constexpr (std::is_same_v<T, Half> && !saturate &&
                requires { &Op::template half_bits<Lanes<int16_t>::D, Lanes<int16_t>::V>; }) {
    map(
        static_cast<int16_t*>(dst), n, [](auto a) HWY_ATTR { return Op::half_bits(Lanes<int16_t>::D(), a); },
        static_cast<const int16_t*>(src));
  } else {
    using A = Arithmetic<T, saturate>;
    map(
        static_cast<T*>(dst), n, [](auto a) HWY_ATTR { return A::finish(Op::lanes(A(), a)); },
        static_cast<const T*>(src));
  }
}

template <class Op, Unary id>
void fill(UnaryTable& table) {
  for_each_type<types_of(id)>([&]<DType type, class T, bool saturates>() {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = &kernel<Op, T, false>;
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = &kernel<Op, T, saturates>;
  });
}

}  // namespace

const UnaryTable* unary_kernels() {
  static const UnaryTable all = [] {
    UnaryTable t;
#define TOPROPE_OP(name, types) fill<name, Unary::name>(t);
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(unary_kernels);
const DispatchedTable unary_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(unary_kernels)(); });
}  // namespace toprope::isa
#endif
