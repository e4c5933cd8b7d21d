// Comparisons whose result is a bit (simd/compare-inl.h says what they compute), and selection by bits.
#include "isa/compare_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/compare_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "isa/simd/compare-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

/// The low hn::Lanes(d) bits of the result.
template <class D, class M>
HWY_INLINE uint64_t bits_of_mask(D d, M mask) {
  uint64_t bits = 0;
  hn::StoreMaskBits(d, mask, reinterpret_cast<uint8_t*>(&bits));
  return bits;
}

template <class Op, class T, bool scalar>
void kernel(uint8_t* bits, const void* src0, const void* src1, size_t n) {
  using L = Lanes<T>;
  const typename L::D d;
  const size_t lanes = hn::Lanes(d);
  const auto* a = static_cast<const T*>(src0);
  const auto* b = static_cast<const T*>(src1);
  T one[HWY_MAX_BYTES / sizeof(T)];
  if (scalar) std::fill_n(one, HWY_MAX_BYTES / sizeof(T), *b);
  const auto value = scalar ? L::load(one) : hn::Zero(d);
  auto test = [&](size_t i) HWY_ATTR {
    return bits_of_mask(d, Op::lanes(L::load(a + i), scalar ? value : L::load(b + i)));
  };
  size_t i = 0;
  if (lanes >= 8) {
    for (; i + lanes <= n; i += lanes) {
      const uint64_t word = test(i);
      std::memcpy(bits + i / 8, &word, lanes / 8);
    }
    if (i < n) {
      auto left = L::load_first(a + i, n - i);
      auto right = scalar ? value : L::load_first(b + i, n - i);
      const uint64_t word = bits_of_mask(d, Op::lanes(left, right));
      std::memcpy(bits + i / 8, &word, (n - i) / 8);
    }
  } else {
    for (; i < n; i += 8) {
      uint64_t word = 0;
      for (size_t k = 0; k < 8; k += lanes) word |= test(i + k) << k;
      bits[i / 8] = static_cast<uint8_t>(word);
    }
  }
}

template <class Op, class T, bool scalar>
void kernel_blocks(uint8_t* bits, const void* src0, const void* src1, Apart extent) {
  using L = Lanes<T>;
  const typename L::D d;
  auto a = over_blocks(static_cast<const T*>(src0), extent.stride[1]);
  auto b = over_blocks(static_cast<const T*>(src1), extent.stride[2]);
  T one[HWY_MAX_BYTES / sizeof(T)];
  if (scalar) std::fill_n(one, HWY_MAX_BYTES / sizeof(T), *static_cast<const T*>(src1));
  const auto value = scalar ? L::load(one) : hn::Zero(d);
  const size_t lanes = hn::Lanes(d), chunk = std::max(lanes, kBlock / sizeof(T));
  for (size_t i = 0; i < extent.n; i += chunk) {
    uint64_t word = 0;
    for (size_t k = 0; k < chunk; k += lanes)
      word |= bits_of_mask(d, Op::lanes(a.load(k), scalar ? value : b.load(k))) << k;
    std::memcpy(bits + i / 8, &word, chunk / 8);
    a.skip(chunk);
    if (!scalar) b.skip(chunk);
  }
}

/// The bits of a vector from element `i` on, which lie in so many bytes.
template <class D>
HWY_INLINE hn::Mask<D> mask_at(D d, const uint8_t* bits, size_t i, size_t bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bits + i / 8, bytes);
  word >>= i % 8;
  return hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&word));
}

template <class T, bool scalar>
void choose(void* dst, const uint8_t* bits, const void* src0, const void* src1, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  auto* out = static_cast<T*>(dst);
  const auto* a = static_cast<const T*>(src0);
  const auto* b = static_cast<const T*>(src1);
  const auto value = hn::Set(d, scalar ? *b : T{0});
  const size_t step_bytes = std::max<size_t>(lanes / 8, 1);
  size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    hn::StoreU(hn::IfThenElse(mask_at(d, bits, i, step_bytes), hn::LoadU(d, a + i),
                              scalar ? value : hn::LoadU(d, b + i)),
               d, out + i);
  if (i < n) {
    using L = Lanes<T>;
    const auto mask = mask_at(d, bits, i, (i % 8 + n - i + 7) / 8);
    L::store_first(
        hn::IfThenElse(mask, L::load_first(a + i, n - i), scalar ? value : L::load_first(b + i, n - i)),
        out + i, n - i);
  }
}

template <class T, bool scalar>
void choose_blocks(void* dst, const uint8_t* bits, const void* src0, const void* src1, Apart extent) {
  const hn::ScalableTag<T> d;
  const auto value = hn::Set(d, scalar ? *static_cast<const T*>(src1) : T{0});
  const size_t step_bytes = std::max<size_t>(hn::Lanes(d) / 8, 1);
  size_t i = 0;  // map() takes the elements in order
  auto next = [&]() HWY_ATTR {
    const auto mask = mask_at(d, bits, i, step_bytes);
    i += hn::Lanes(d);
    return mask;
  };
  auto* out = static_cast<T*>(dst);
  const auto* a = static_cast<const T*>(src0);
  if constexpr (scalar)
    map(out, extent, [&](auto x) HWY_ATTR { return hn::IfThenElse(next(), x, value); }, a);
  else
    map(
        out, extent, [&](auto x, auto y) HWY_ATTR { return hn::IfThenElse(next(), x, y); }, a,
        static_cast<const T*>(src1));
}

template <class Op, Compare id>
void fill(CompareTable& table) {
  constexpr DTypeSet set = types_of(id);
  auto put = [&]<class T>(DType type) {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, false>,
                                                                 &kernel_blocks<Op, T, false>};
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, true>,
                                                                 &kernel_blocks<Op, T, true>};
  };
  if constexpr (contains(set, DType::Half)) put.template operator()<Half>(DType::Half);
  if constexpr (contains(set, DType::Float)) put.template operator()<float>(DType::Float);
  if constexpr (contains(set, DType::Int32)) put.template operator()<int32_t>(DType::Int32);
}

}  // namespace

const CompareTable* compare_kernels() {
  static const CompareTable all = [] {
    CompareTable t;
#define TOPROPE_OP(name, types) fill<name, Compare::name>(t);
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
    t.select[0][0] = {&choose<uint16_t, false>, &choose_blocks<uint16_t, false>};
    t.select[0][1] = {&choose<uint32_t, false>, &choose_blocks<uint32_t, false>};
    t.select[1][0] = {&choose<uint16_t, true>, &choose_blocks<uint16_t, true>};
    t.select[1][1] = {&choose<uint32_t, true>, &choose_blocks<uint32_t, true>};
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(compare_kernels);
const DispatchedTable compare_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(compare_kernels)(); });
}  // namespace toprope::isa
#endif
