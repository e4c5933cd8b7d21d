// The loops over consecutive elements: whole vectors, then a tail that touches nothing beyond it.
#if defined(TOPROPE_SIMD_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_MAP_INL_H_
#undef TOPROPE_SIMD_MAP_INL_H_
#else
#define TOPROPE_SIMD_MAP_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>
#include <type_traits>

#include "isa/simd/half-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The lanes an element type is computed in.
template <class T>
using Compute = std::conditional_t<std::is_same_v<T, Half>, float, T>;

/// One vector's worth of T in memory, seen as Compute<T> lanes.
template <class T>
struct Lanes {
  using D = hn::ScalableTag<Compute<T>>;
  using DM = hn::Rebind<T, D>;  // the lanes as they lie in memory
  using V = hn::Vec<D>;
  static HWY_INLINE size_t size() { return hn::Lanes(D()); }
  static HWY_INLINE V load(const T* p) {
    const auto m = hn::LoadU(DM(), p);
    if constexpr (std::is_same_v<T, Half>)
      return promote(D(), m);
    else
      return m;
  }
  static HWY_INLINE void store(V v, T* p) {
    if constexpr (std::is_same_v<T, Half>)
      hn::StoreU(demote(D(), v), DM(), p);
    else
      hn::StoreU(v, DM(), p);
  }
  /// The first n elements, the other lanes 0.
  static HWY_INLINE V load_first(const T* p, size_t n) {
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
    std::memcpy(buffer, p, n * sizeof(T));
    return load(buffer);
  }
  static HWY_INLINE void store_first(V v, T* p, size_t n) {
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
    store(v, buffer);
    std::memcpy(p, buffer, n * sizeof(T));
  }
};

/// out[i] = f(in0[i], in1[i], …); f takes and returns vectors. out may be one of the inputs.
template <class T, class F, class... In>
HWY_INLINE void map(T* out, size_t n, F&& f, const In*... in) {
  const size_t step = Lanes<T>::size();
  size_t i = 0;
  for (; i + step <= n; i += step) Lanes<T>::store(f(Lanes<In>::load(in + i)...), out + i);
  if (i < n) Lanes<T>::store_first(f(Lanes<In>::load_first(in + i, n - i)...), out + i, n - i);
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
