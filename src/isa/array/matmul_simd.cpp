// The matrix product's kernels. A tile of the result stays in registers while a panel of each source streams
// past it.
#include "isa/array/matmul_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/array/matmul_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

// Accumulators are two vectors wide; together with one row of b and a broadcast they fill the registers.
#if HWY_TARGET <= HWY_AVX3
constexpr size_t kRows = 12;
#else
constexpr size_t kRows = 6;
#endif

/// What elements are packed to and summed in.
template <class T>
using Packed = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, float>;

template <class T>
HWY_INLINE auto load_wide(const T* p) {
  if constexpr (std::is_same_v<T, int8_t>) {
    const hn::ScalableTag<int32_t> d;
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<int8_t, decltype(d)>(), p));
  } else {
    return Lanes<T>::load(p);
  }
}

/// n elements, widened.
template <class T>
HWY_INLINE void widen(Packed<T>* to, const T* from, size_t n) {
  const hn::ScalableTag<Packed<T>> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(load_wide(from + i), d, to + i);
  if (i == n) return;
  T in[HWY_MAX_BYTES / 4] = {};
  Packed<T> out[HWY_MAX_BYTES / 4];
  std::memcpy(in, from + i, (n - i) * sizeof(T));
  hn::StoreU(load_wide(in), d, out);
  std::memcpy(to + i, out, (n - i) * sizeof(Packed<T>));
}

template <class T>
void pack_a(void* to, const void* a, size_t stride, size_t m, size_t k) {
  using P = Packed<T>;
  auto* out = static_cast<P*>(to);
  const T* in = static_cast<const T*>(a);
  alignas(64) P wide[kRows][array::kPanelDepth];
  for (size_t tile = 0; tile < m; tile += kRows, out += kRows * k) {
    const size_t here = std::min(kRows, m - tile);
    for (size_t r = 0; r < here; ++r) widen(wide[r], in + (tile + r) * stride, k);
    for (size_t r = here; r < kRows; ++r) std::fill_n(wide[r], k, P{0});
    for (size_t i = 0; i < k; ++i)
      for (size_t r = 0; r < kRows; ++r) out[i * kRows + r] = wide[r][i];
  }
}

template <class T>
void pack_b(void* to, const void* b, size_t stride, size_t n, size_t k) {
  using P = Packed<T>;
  const hn::ScalableTag<P> d;
  const size_t lanes = hn::Lanes(d), columns = 2 * lanes;
  auto* out = static_cast<P*>(to);
  const T* in = static_cast<const T*>(b);
  for (size_t tile = 0; tile < n; tile += columns) {
    const size_t here = std::min(columns, n - tile);
    for (size_t i = 0; i < k; ++i, out += columns) {
      const T* from = in + i * stride + tile;
      if (here == columns) {
        hn::StoreU(load_wide(from), d, out);
        hn::StoreU(load_wide(from + lanes), d, out + lanes);
      } else {
        widen(out, from, here);
        std::fill_n(out + here, columns - here, P{0});
      }
    }
  }
}

template <class D, class V>
HWY_INLINE V multiply_add(D d, V a, V b, V c) {
  if constexpr (std::is_floating_point_v<hn::TFromD<D>>) {
    return fused(d, a, b, c);
  } else {
    (void)d;
    return hn::Add(hn::Mul(a, b), c);
  }
}

template <class P>
HWY_INLINE void tile(P* HWY_RESTRICT c, size_t stride, const P* HWY_RESTRICT a, const P* HWY_RESTRICT b,
                     size_t k) {
  const hn::ScalableTag<P> d;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  V left[kRows], right[kRows];
#pragma GCC unroll 12
  for (size_t r = 0; r < kRows; ++r) {
    left[r] = hn::LoadU(d, c + r * stride);
    right[r] = hn::LoadU(d, c + r * stride + lanes);
  }
  for (size_t i = 0; i < k; ++i) {
    const V p = hn::Load(d, b + i * 2 * lanes), q = hn::Load(d, b + i * 2 * lanes + lanes);
#pragma GCC unroll 12
    for (size_t r = 0; r < kRows; ++r) {
      const V s = hn::Set(d, a[i * kRows + r]);
      left[r] = multiply_add(d, s, p, left[r]);
      right[r] = multiply_add(d, s, q, right[r]);
    }
  }
#pragma GCC unroll 12
  for (size_t r = 0; r < kRows; ++r) {
    hn::StoreU(left[r], d, c + r * stride);
    hn::StoreU(right[r], d, c + r * stride + lanes);
  }
}

template <class P>
void product(void* result, size_t stride, const void* pa, const void* pb, size_t m, size_t n, size_t k) {
  const hn::ScalableTag<P> d;
  const size_t columns = 2 * hn::Lanes(d);
  auto* c = static_cast<P*>(result);
  for (size_t j = 0; j < n; j += columns) {
    const P* b = static_cast<const P*>(pb) + j * k;
    const size_t wide = std::min(columns, n - j);
    for (size_t i = 0; i < m; i += kRows) {
      const P* a = static_cast<const P*>(pa) + i * k;
      const size_t high = std::min(kRows, m - i);
      P* at = c + i * stride + j;
      if (high == kRows && wide == columns) {
        tile(at, stride, a, b, k);
        continue;
      }
      HWY_ALIGN P whole[kRows * 2 * HWY_MAX_BYTES / sizeof(P)] = {};
      for (size_t r = 0; r < high; ++r) std::memcpy(whole + r * columns, at + r * stride, wide * sizeof(P));
      tile(whole, columns, a, b, k);
      for (size_t r = 0; r < high; ++r) std::memcpy(at + r * stride, whole + r * columns, wide * sizeof(P));
    }
  }
}

template <class T>
array::MatmulKernels kernels() {
  const hn::ScalableTag<Packed<T>> d;
  return {kRows, 2 * hn::Lanes(d), &pack_a<T>, &pack_b<T>, &product<Packed<T>>};
}

}  // namespace

const array::MatmulTable* matmul_kernels() {
  static const array::MatmulTable all = {kernels<Half>(), kernels<BFloat>(), kernels<float>(),
                                         kernels<int8_t>()};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(matmul_kernels);
namespace array {
const DispatchedTable matmul_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(matmul_kernels)(); });
}  // namespace array
}  // namespace toprope::isa
#endif
