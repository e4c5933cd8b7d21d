// Arithmetic of single integers, with the same names as Arithmetic has for vectors: integers wrap, a division
// by 0 gives 0, a shift by the type's width or more (as an unsigned number) shifts everything out. Loops over
// it are left to the compiler, which vectorises them for each target. Per-target include (Highway
// foreach_target).
#if defined(TOPROPE_SIMD_ELEMENTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_ELEMENTS_INL_H_
#undef TOPROPE_SIMD_ELEMENTS_INL_H_
#else
#define TOPROPE_SIMD_ELEMENTS_INL_H_
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {

template <class T>
struct Elements {
  using Type = T;
  using V = T;
  using U = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;  // wraps without promotion to int
  static constexpr bool kElements = true;
  static constexpr int kBits = sizeof(T) * 8;

  static HWY_INLINE V finish(V v) { return v; }
  static HWY_INLINE V settle(V v) { return v; }
  static HWY_INLINE V one() { return 1; }
  static HWY_INLINE V add(V a, V b) { return static_cast<T>(wide(a) + wide(b)); }
  static HWY_INLINE V sub(V a, V b) { return static_cast<T>(wide(a) - wide(b)); }
  static HWY_INLINE V mul(V a, V b) { return static_cast<T>(wide(a) * wide(b)); }
  static HWY_INLINE V max(V a, V b) { return a > b ? a : b; }
  static HWY_INLINE V min(V a, V b) { return a < b ? a : b; }
  static HWY_INLINE V relu(V a) { return a > 0 ? a : T{0}; }
  static HWY_INLINE V abs(V a) { return a < 0 ? negated(a) : a; }
  static HWY_INLINE V negated(V a) { return static_cast<T>(Wide{0} - wide(a)); }
  static HWY_INLINE V inverted(V a) { return static_cast<T>(~a); }
  static HWY_INLINE V both(V a, V b) { return static_cast<T>(a & b); }
  static HWY_INLINE V either(V a, V b) { return static_cast<T>(a | b); }
  static HWY_INLINE V differ(V a, V b) { return static_cast<T>(a ^ b); }

  static HWY_INLINE V div(V a, V b) {
    if (b == 0) return 0;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return negated(a);
    return static_cast<T>(a / b);
  }
  static HWY_INLINE V fmod(V a, V b) {
    if (b == 0 || (std::is_signed_v<T> && b == static_cast<T>(-1))) return 0;
    return static_cast<T>(a % b);
  }
  static HWY_INLINE V shift_left(V a, V b) {
    return static_cast<U>(b) < kBits ? static_cast<T>(wide(a) << static_cast<U>(b)) : T{0};
  }
  static HWY_INLINE V shift_right(V a, V b) {
    const T most = a < 0 ? static_cast<T>(-1) : T{0};
    return static_cast<U>(b) < kBits ? static_cast<T>(a >> static_cast<U>(b)) : most;
  }
  static HWY_INLINE V power(V base, V exponent) {
    if (exponent < 0) {
      if (base == 1) return 1;
      if (std::is_signed_v<T> && base == static_cast<T>(-1)) return exponent & 1 ? base : T{1};
      return 0;
    }
    Wide result = 1, factor = wide(base);
    for (U e = static_cast<U>(exponent); e; e = static_cast<U>(e >> 1)) {
      if (e & 1) result *= factor;
      factor *= factor;
    }
    return static_cast<T>(result);
  }

 private:
  static HWY_INLINE Wide wide(T v) { return static_cast<Wide>(v); }
};

/// out[i] = f(in[i]…). out may be one of the inputs, which is why the loop is declared free of dependences.
template <class T, class F, class... In>
HWY_INLINE void map_elements(T* out, size_t n, F&& f, const In*... in) {
#pragma GCC ivdep
  for (size_t i = 0; i < n; ++i) out[i] = f(in[i]...);
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
