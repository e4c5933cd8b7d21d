// Semantics of the comparisons: `lanes` of floating-point vectors, `of` single integers. Per-target include
// (Highway foreach_target).
#if defined(TOPROPE_SIMD_COMPARE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_COMPARE_INL_H_
#undef TOPROPE_SIMD_COMPARE_INL_H_
#else
#define TOPROPE_SIMD_COMPARE_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

struct LT {
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Lt(a, b);
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a < b;
  }
};

struct GT {
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Gt(a, b);
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a > b;
  }
};

struct EQ {
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Eq(a, b);
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a == b;
  }
};

struct LE {
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Le(a, b);
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a <= b;
  }
};

struct GE {
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Ge(a, b);
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a >= b;
  }
};

struct NE {  // ordered: with NaN it is 0, unlike the host's
  template <class V>
  static HWY_INLINE auto lanes(V a, V b) {
    return hn::Or(hn::Lt(a, b), hn::Gt(a, b));
  }
  template <class T>
  static HWY_INLINE bool of(T a, T b) {
    return a != b;
  }
};

}  // namespace
}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
