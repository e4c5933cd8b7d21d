// Comparisons and selections of arrays, with a byte an element.
#include "isa/array/elementwise_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/array/compare_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/compare-inl.h"
#include "isa/simd/elements-inl.h"
#include "isa/simd/types-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

using array::Spread;

/// A mask of float lanes as bytes 0 or 1.
template <class D, class M>
HWY_INLINE void store_mask(D, M mask, uint8_t* out) {
  const hn::RebindToSigned<D> di;
  const auto ones = hn::IfThenElseZero(hn::RebindMask(di, mask), hn::Set(di, 1));
  const hn::Rebind<uint8_t, D> d8;
  hn::StoreU(hn::DemoteTo(d8, ones), d8, out);
}

template <class Op, class T, Spread spread>
void kernel(void* dst, const void* src0, const void* src1, size_t n) {
  auto* out = static_cast<uint8_t*>(dst);
  const auto* a = static_cast<const T*>(src0);
  const auto* b = static_cast<const T*>(src1);
  if (n == 0) return;
  if constexpr (std::is_integral_v<T>) {
    const T x = *a, y = *b;
    if (spread == Spread::No)
      map_elements(out, n, [](T p, T q) HWY_ATTR -> uint8_t { return Op::of(p, q); }, a, b);
    else if (spread == Spread::First)
      map_elements(out, n, [x](T q) HWY_ATTR -> uint8_t { return Op::of(x, q); }, b);
    else
      map_elements(out, n, [y](T p) HWY_ATTR -> uint8_t { return Op::of(p, y); }, a);
  } else {
    using L = Lanes<T>;
    const typename L::D d;
    const size_t lanes = hn::Lanes(d);
    Scalar value;
    __builtin_memcpy(&value.bits, spread == Spread::First ? a : b, sizeof(T));
    const auto one = broadcast<T>(value);
    size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const auto x = spread == Spread::First ? one : L::load(a + i);
      const auto y = spread == Spread::Second ? one : L::load(b + i);
      store_mask(d, Op::lanes(x, y), out + i);
    }
    if (i == n) return;
    const auto x = spread == Spread::First ? one : L::load_first(a + i, n - i);
    const auto y = spread == Spread::Second ? one : L::load_first(b + i, n - i);
    uint8_t last[HWY_MAX_BYTES / sizeof(float)];
    store_mask(d, Op::lanes(x, y), last);
    std::memcpy(out + i, last, n - i);
  }
}

template <class T, Spread spread>
void choose(void* dst, const uint8_t* condition, const void* src0, const void* src1, size_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* a = static_cast<const T*>(src0);
  const auto* b = static_cast<const T*>(src1);
  if (n == 0) return;
  const T x = *a, y = *b;
  if (spread == Spread::No)
    map_elements(out, n, [](uint8_t c, T p, T q) HWY_ATTR -> T { return c ? p : q; }, condition, a, b);
  else if (spread == Spread::First)
    map_elements(out, n, [x](uint8_t c, T q) HWY_ATTR -> T { return c ? x : q; }, condition, b);
  else
    map_elements(out, n, [y](uint8_t c, T p) HWY_ATTR -> T { return c ? p : y; }, condition, a);
}

template <class Op, Compare id>
void fill(array::CompareKernels& table) {
  using namespace array::types;
  for_each_element_type<FLOATS | INTEGERS>([&]<DType type, class T>() {
    constexpr int op = static_cast<int>(id), t = static_cast<int>(type);
    table.at[static_cast<int>(Spread::No)][op][t] = &kernel<Op, T, Spread::No>;
    table.at[static_cast<int>(Spread::First)][op][t] = &kernel<Op, T, Spread::First>;
    table.at[static_cast<int>(Spread::Second)][op][t] = &kernel<Op, T, Spread::Second>;
  });
}

template <Spread spread>
void fill_select(array::CompareKernels& table) {
  auto& row = table.select[static_cast<int>(spread)];
  row[0] = &choose<uint8_t, spread>;
  row[1] = &choose<uint16_t, spread>;
  row[2] = &choose<uint32_t, spread>;
  row[3] = &choose<uint64_t, spread>;
}

}  // namespace

const array::CompareKernels* array_compare_kernels() {
  static const array::CompareKernels all = [] {
    array::CompareKernels t;
#define TOPROPE_OP(name, types) fill<name, Compare::name>(t);
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
    fill_select<Spread::No>(t);
    fill_select<Spread::First>(t);
    fill_select<Spread::Second>(t);
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(array_compare_kernels);
namespace array {
const DispatchedTable array_compare_table([]() -> const void* {
  return HWY_DYNAMIC_DISPATCH(array_compare_kernels)();
});
}  // namespace array
}  // namespace toprope::isa
#endif
