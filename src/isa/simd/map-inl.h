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

/// bfloat16 in memory.
struct BFloat {
  uint16_t bits;
};

/// The lanes an element type is computed in, and the lanes as they lie in memory.
template <class T>
inline constexpr bool kNarrowFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat>;
template <class T>
using Compute = std::conditional_t<kNarrowFloat<T>, float, T>;
template <class T>
using InMemory = std::conditional_t<std::is_same_v<T, BFloat>, uint16_t, T>;

/// bfloat16 lanes → float lanes, exact.
template <class D, class V16>
HWY_INLINE hn::Vec<D> promote_bfloat(D d, V16 v) {
  return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), v)));
}

/// Float lanes → bfloat16 lanes, round to nearest even; NaN becomes 0x7fc0 with its sign.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<uint16_t, D>> demote_bfloat(D, hn::Vec<D> v) {
  const hn::RebindToSigned<D> di;
  const auto x = hn::BitCast(di, v);
  const auto m = hn::And(x, hn::Set(di, 0x7fffffff));
  const auto up = hn::Add(hn::Set(di, 0x7fff), hn::And(hn::ShiftRight<16>(m), hn::Set(di, 1)));
  const auto bits = hn::IfThenElse(hn::Gt(m, hn::Set(di, 0x7f800000)), hn::Set(di, 0x7fc0),
                                   hn::ShiftRight<16>(hn::Add(m, up)));
  const auto sign = hn::IfThenElseZero(hn::Lt(x, hn::Zero(di)), hn::Set(di, 0x8000));
  return hn::DemoteTo(hn::Rebind<uint16_t, D>(), hn::Or(bits, sign));
}

/// One vector's worth of T in memory, seen as Compute<T> lanes.
template <class T>
struct Lanes {
  using D = hn::ScalableTag<Compute<T>>;
  using DM = hn::Rebind<InMemory<T>, D>;  // the lanes as they lie in memory
  using V = hn::Vec<D>;
  static HWY_INLINE size_t size() { return hn::Lanes(D()); }
  static HWY_INLINE V load(const T* p) {
    const auto m = hn::LoadU(DM(), reinterpret_cast<const InMemory<T>*>(p));
    if constexpr (std::is_same_v<T, Half>)
      return promote(D(), m);
    else if constexpr (std::is_same_v<T, BFloat>)
      return promote_bfloat(D(), m);
    else
      return m;
  }
  static HWY_INLINE void store(V v, T* p) {
    if constexpr (std::is_same_v<T, Half>)
      hn::StoreU(demote(D(), v), DM(), p);
    else if constexpr (std::is_same_v<T, BFloat>)
      hn::StoreU(demote_bfloat(D(), v), DM(), reinterpret_cast<uint16_t*>(p));
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
