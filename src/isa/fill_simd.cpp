// Filling memory with one element, at the widest store the machine has, and with numbers.
#include <cstring>

#include "isa/fill_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/fill_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/types-inl.h"
#include "toprope/isa/fill.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T, class Extent>
void fill(void* dst, uint32_t value, Extent extent) {
  const auto v = hn::Set(hn::ScalableTag<T>(), static_cast<T>(value));
  map(static_cast<T*>(dst), extent, [v]() HWY_ATTR { return v; });
}

template <class T>
void index(void* dst, uint64_t first, uint32_t place, size_t n) {
  using L = Lanes<T>;
  using C = Compute<T>;
  const typename L::D d;
  T start;
  std::memcpy(&start, &first, sizeof start);
  auto* out = static_cast<T*>(dst);
  HWY_ALIGN T one[HWY_MAX_BYTES / sizeof(C)] = {start};
  const auto from = hn::Set(d, hn::GetLane(L::load(one)));
  for (size_t i = 0; i < n; i += L::size()) {
    const auto places = hn::Add(hn::Iota(d, C{0}), hn::Set(d, static_cast<C>(place + i)));
    const auto v = hn::Add(from, places);
    if (i + L::size() <= n)
      L::store(v, out + i);
    else
      L::store_first(v, out + i, n - i);
  }
}

}  // namespace

const FillTable* fill_kernels() {
  static const FillTable all = [] {
    FillTable t;
    t.fill[0] = {&fill<uint16_t, size_t>, &fill<uint16_t, Apart>};
    t.fill[1] = {&fill<uint32_t, size_t>, &fill<uint32_t, Apart>};
    for_each_element_type<kIndexTypes>(
        [&]<DType type, class T>() { t.index[static_cast<int>(type)] = &index<T>; });
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(fill_kernels);
const DispatchedTable fill_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(fill_kernels)(); });
}  // namespace toprope::isa
#endif
