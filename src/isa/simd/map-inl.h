// The loops over elements in a row (whole vectors, then a tail that touches nothing beyond it) and over
// blocks that lie apart.
#if defined(TOPROPE_SIMD_MAP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_MAP_INL_H_
#undef TOPROPE_SIMD_MAP_INL_H_
#else
#define TOPROPE_SIMD_MAP_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "isa/map_kernel.h"
#include "isa/simd/half-inl.h"
#include "toprope/isa/operand.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

inline constexpr size_t kBlock = kBlockBytes;  ///< bytes that an operand has in a row at least

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
  static HWY_INLINE V load(const T* p) { return widen(hn::LoadU(DM(), in_memory(p))); }
  static HWY_INLINE void store(V v, T* p) { hn::StoreU(narrow(v), DM(), in_memory(p)); }

  /// A vector whose first block, or part of a block, is at p, and the next one `stride` bytes further.
  static HWY_INLINE V load_apart(const uint8_t* p, size_t stride) {
    if constexpr (kBytes <= kBlock) {
      return load(reinterpret_cast<const T*>(p));
#if HWY_TARGET != HWY_SCALAR  // which has no vectors to be halved
    } else if constexpr (kBytes == 2 * kBlock) {
      const hn::Half<DM> dh;
      const auto* low = reinterpret_cast<const InMemory<T>*>(p);
      const auto* high = reinterpret_cast<const InMemory<T>*>(p + stride);
      return widen(hn::Combine(DM(), hn::LoadU(dh, high), hn::LoadU(dh, low)));
#endif
    } else {
      HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
      for (size_t at = 0, b = 0; at < size() * sizeof(T); at += kBlock, ++b)
        std::memcpy(reinterpret_cast<uint8_t*>(buffer) + at, p + b * stride,
                    std::min(kBlock, size() * sizeof(T) - at));
      return load(buffer);
    }
  }
  static HWY_INLINE void store_apart(V v, uint8_t* p, size_t stride) {
    if constexpr (kBytes <= kBlock) {
      store(v, reinterpret_cast<T*>(p));
#if HWY_TARGET != HWY_SCALAR
    } else if constexpr (kBytes == 2 * kBlock) {
      const hn::Half<DM> dh;
      const auto m = narrow(v);
      hn::StoreU(hn::LowerHalf(dh, m), dh, reinterpret_cast<InMemory<T>*>(p));
      hn::StoreU(hn::UpperHalf(dh, m), dh, reinterpret_cast<InMemory<T>*>(p + stride));
#endif
    } else {
      HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
      store(v, buffer);
      for (size_t at = 0, b = 0; at < size() * sizeof(T); at += kBlock, ++b)
        std::memcpy(p + b * stride, reinterpret_cast<const uint8_t*>(buffer) + at,
                    std::min(kBlock, size() * sizeof(T) - at));
    }
  }

  /// The same under a mask in bytes.
  static HWY_INLINE void store_apart(V v, uint8_t* p, size_t stride, const uint8_t* mask) {
    const hn::RebindToUnsigned<DM> du;
    const auto on = hn::LoadU(du, reinterpret_cast<const hn::TFromD<decltype(du)>*>(mask));
    const auto m = hn::BitCast(du, narrow(v));
    if constexpr (kBytes <= kBlock) {
      hn::BlendedStore(m, hn::MaskFromVec(on), du, reinterpret_cast<hn::TFromD<decltype(du)>*>(p));
#if HWY_TARGET != HWY_SCALAR
    } else if constexpr (kBytes == 2 * kBlock) {
      if (stride == kBlock) {
        hn::BlendedStore(m, hn::MaskFromVec(on), du, reinterpret_cast<hn::TFromD<decltype(du)>*>(p));
        return;
      }
      const hn::Half<decltype(du)> dh;
      auto* low = reinterpret_cast<hn::TFromD<decltype(du)>*>(p);
      auto* high = reinterpret_cast<hn::TFromD<decltype(du)>*>(p + stride);
      hn::BlendedStore(hn::LowerHalf(dh, m), hn::MaskFromVec(hn::LowerHalf(dh, on)), dh, low);
      hn::BlendedStore(hn::UpperHalf(dh, m), hn::MaskFromVec(hn::UpperHalf(dh, on)), dh, high);
#endif
    } else {
      const auto old = hn::BitCast(du, narrow(load_apart(p, stride)));
      store_apart(widen(hn::BitCast(DM(), hn::IfThenElse(hn::MaskFromVec(on), m, old))), p, stride);
    }
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

 private:
  static constexpr size_t kBytes = hn::MaxLanes(DM()) * sizeof(InMemory<T>);
  static HWY_INLINE const InMemory<T>* in_memory(const T* p) {
    return reinterpret_cast<const InMemory<T>*>(p);
  }
  static HWY_INLINE InMemory<T>* in_memory(T* p) { return reinterpret_cast<InMemory<T>*>(p); }
  static HWY_INLINE V widen(hn::Vec<DM> m) {
    if constexpr (std::is_same_v<T, Half>)
      return promote(D(), m);
    else if constexpr (std::is_same_v<T, BFloat>)
      return promote_bfloat(D(), m);
    else
      return m;
  }
  static HWY_INLINE hn::Vec<DM> narrow(V v) {
    if constexpr (std::is_same_v<T, Half>)
      return demote(D(), v);
    else if constexpr (std::is_same_v<T, BFloat>)
      return demote_bfloat(D(), v);
    else
      return v;
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

/// An operand on its way over blocks.
template <class T>
struct OverBlocks {
  uint8_t* at;
  size_t stride;
  HWY_INLINE uint8_t* byte(size_t i) const { return at + i / kBlock * stride + i % kBlock; }
  HWY_INLINE typename Lanes<T>::V load(size_t element) const {
    return Lanes<T>::load_apart(byte(element * sizeof(T)), stride);
  }
  HWY_INLINE void store(typename Lanes<T>::V v, size_t element) const {
    Lanes<T>::store_apart(v, byte(element * sizeof(T)), stride);
  }
  HWY_INLINE void store(typename Lanes<T>::V v, size_t element, const uint8_t* mask) const {
    Lanes<T>::store_apart(v, byte(element * sizeof(T)), stride, mask);
  }
  HWY_INLINE void skip(size_t elements) { at += elements * sizeof(T) / kBlock * stride; }
};

template <class T>
HWY_INLINE OverBlocks<T> over_blocks(const T* first, size_t stride) {
  return {reinterpret_cast<uint8_t*>(const_cast<T*>(first)), stride};
}

template <class T, class F, class... In>
HWY_INLINE void map_blocks(const Apart& extent, F&& f, OverBlocks<T> out, OverBlocks<In>... in) {
  const size_t step = Lanes<T>::size();
  // So many elements that every operand gets on by whole blocks.
  const size_t chunk = std::max(step, kBlock / std::min({sizeof(T), sizeof(In)...}));
  for (size_t i = 0; i < extent.n; i += chunk) {
    for (size_t k = 0; k < chunk; k += step) {
      const auto v = f(in.load(k)...);
      if (extent.mask)
        out.store(v, k, extent.mask_at((i + k) * sizeof(T)));
      else
        out.store(v, k);
    }
    out.skip(chunk);
    (in.skip(chunk), ...);
  }
}

template <class T, class F, size_t... k, class... In>
HWY_INLINE void map_apart(T* out, const Apart& extent, F&& f, std::index_sequence<k...>, const In*... in) {
  map_blocks(extent, f, over_blocks(out, extent.stride[0]), over_blocks(in, extent.stride[k + 1])...);
}

/// The same for blocks that lie apart. No block may be read after it was written, unless by the same
/// elements.
template <class T, class F, class... In>
HWY_INLINE void map(T* out, const Apart& extent, F&& f, const In*... in) {
  map_apart(out, extent, f, std::index_sequence_for<In...>(), in...);
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
