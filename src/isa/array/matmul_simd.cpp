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

// A tile is three vectors wide; its accumulators, three vectors of b and a broadcast fill the registers.
constexpr size_t kVectors = 3;
#if HWY_TARGET <= HWY_AVX3
constexpr size_t kRows = 8;
#else
constexpr size_t kRows = 4;
#endif

/// Vectors that `columns` elements take.
template <class D>
HWY_INLINE size_t vectors(D d, size_t columns) {
  return (columns + hn::Lanes(d) - 1) / hn::Lanes(d);
}

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

#if HWY_TARGET != HWY_SCALAR
/// Four elements of four rows become four columns, kRows apart.
template <class P>
HWY_INLINE void turn(P* out, const P* a, const P* b, const P* c, const P* e) {
  const hn::FixedTag<P, 4> d;
  const hn::RepartitionToWide<hn::RebindToUnsigned<decltype(d)>> pairs;
  const auto p = hn::LoadU(d, a), q = hn::LoadU(d, b), r = hn::LoadU(d, c), s = hn::LoadU(d, e);
  const auto low_ab = hn::BitCast(pairs, hn::InterleaveLower(d, p, q));
  const auto low_ce = hn::BitCast(pairs, hn::InterleaveLower(d, r, s));
  const auto high_ab = hn::BitCast(pairs, hn::InterleaveUpper(d, p, q));
  const auto high_ce = hn::BitCast(pairs, hn::InterleaveUpper(d, r, s));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low_ab, low_ce)), d, out);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low_ab, low_ce)), d, out + kRows);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high_ab, high_ce)), d, out + 2 * kRows);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high_ab, high_ce)), d, out + 3 * kRows);
}
#endif

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
    size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    for (; i + 4 <= k; i += 4)
      for (size_t r = 0; r < kRows; r += 4)
        turn(out + i * kRows + r, wide[r] + i, wide[r + 1] + i, wide[r + 2] + i, wide[r + 3] + i);
#endif
    for (; i < k; ++i)
      for (size_t r = 0; r < kRows; ++r) out[i * kRows + r] = wide[r][i];
  }
}

/// The last tile is only as many vectors wide as it needs.
template <class T>
void pack_b(void* to, const void* b, size_t stride, size_t n, size_t k) {
  using P = Packed<T>;
  const hn::ScalableTag<P> d;
  const size_t lanes = hn::Lanes(d), columns = kVectors * lanes;
  auto* out = static_cast<P*>(to);
  const T* in = static_cast<const T*>(b);
  for (size_t tile = 0; tile < n; tile += columns) {
    const size_t here = std::min(columns, n - tile), whole = here / lanes * lanes;
    const size_t width = vectors(d, here) * lanes;
    for (size_t i = 0; i < k; ++i, out += width) {
      const T* from = in + i * stride + tile;
      for (size_t c = 0; c < whole; c += lanes) hn::StoreU(load_wide(from + c), d, out + c);
      if (whole == width) continue;
      widen(out + whole, from + whole, here - whole);
      std::fill_n(out + here, width - here, P{0});
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

template <class P, size_t width>
HWY_INLINE void tile(P* HWY_RESTRICT c, size_t stride, const P* HWY_RESTRICT a, const P* HWY_RESTRICT b,
                     size_t k) {
  const hn::ScalableTag<P> d;
  using V = hn::Vec<decltype(d)>;
  const size_t lanes = hn::Lanes(d);
  V sum[kRows][width];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (size_t v = 0; v < width; ++v) sum[r][v] = hn::LoadU(d, c + r * stride + v * lanes);
  for (size_t i = 0; i < k; ++i) {
    V row[width];
#pragma GCC unroll 3
    for (size_t v = 0; v < width; ++v) row[v] = hn::Load(d, b + (i * width + v) * lanes);
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) {
      const V s = hn::Set(d, a[i * kRows + r]);
#pragma GCC unroll 3
      for (size_t v = 0; v < width; ++v) sum[r][v] = multiply_add(d, s, row[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r)
#pragma GCC unroll 3
    for (size_t v = 0; v < width; ++v) hn::StoreU(sum[r][v], d, c + r * stride + v * lanes);
}

/// The columns of one tile, all rows. What comes next is fetched meanwhile: the rows of the next tile, which
/// are far apart, and, a few lines at each tile, the next panel of b, which lies beyond the second-level
/// cache.
template <class P, size_t width>
void column(P* c, size_t stride, const P* a, const P* b, size_t m, size_t n, size_t k) {
  constexpr size_t kLine = 64;
  const size_t columns = width * hn::Lanes(hn::ScalableTag<P>());
  const size_t tiles = (m + kRows - 1) / kRows, panel = k * columns * sizeof(P);
  const size_t lines = (panel / kLine + tiles - 1) / tiles;
  const char* next_panel = reinterpret_cast<const char*>(b) + panel;
  for (size_t i = 0; i < m; i += kRows, a += kRows * k) {
    const size_t high = std::min(kRows, m - i);
    P* at = c + i * stride;
    for (size_t r = kRows; r < std::min(2 * kRows, m - i); ++r)
      for (size_t byte = 0; byte < columns * sizeof(P); byte += kLine)
        __builtin_prefetch(reinterpret_cast<const char*>(at + r * stride) + byte);
    for (size_t line = 0; line < lines; ++line, next_panel += kLine) __builtin_prefetch(next_panel, 0, 2);
    if (high == kRows && n == columns) {
      tile<P, width>(at, stride, a, b, k);
      continue;
    }
    HWY_ALIGN P whole[kRows * kVectors * HWY_MAX_BYTES / sizeof(P)] = {};
    for (size_t r = 0; r < high; ++r) std::memcpy(whole + r * columns, at + r * stride, n * sizeof(P));
    tile<P, width>(whole, columns, a, b, k);
    for (size_t r = 0; r < high; ++r) std::memcpy(at + r * stride, whole + r * columns, n * sizeof(P));
  }
}

template <class P>
void product(void* result, size_t stride, const void* pa, const void* pb, size_t m, size_t n, size_t k) {
  const hn::ScalableTag<P> d;
  const size_t columns = kVectors * hn::Lanes(d);
  auto* c = static_cast<P*>(result);
  const auto* a = static_cast<const P*>(pa);
  for (size_t j = 0; j < n; j += columns) {
    const P* b = static_cast<const P*>(pb) + j * k;
    const size_t here = std::min(columns, n - j);
    switch (vectors(d, here)) {
      case 1:
        column<P, 1>(c + j, stride, a, b, m, here, k);
        break;
      case 2:
        column<P, 2>(c + j, stride, a, b, m, here, k);
        break;
      default:
        column<P, 3>(c + j, stride, a, b, m, here, k);
    }
  }
}

template <class T>
array::MatmulKernels kernels() {
  const hn::ScalableTag<Packed<T>> d;
  return {kRows, kVectors * hn::Lanes(d), 1, &pack_a<T>, &pack_b<T>, &product<Packed<T>>};
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
