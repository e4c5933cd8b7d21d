// Sorting a few records: each one's rank is the number of those that come before it.
#include <cstring>
#include <limits>

#include "isa/records.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/sort_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// A number that orders as the scores do: NaN above all, ±0 equal.
template <class V>
HWY_INLINE auto key_of(V value) {
  const hn::DFromV<V> d;
  const hn::RebindToSigned<decltype(d)> di;
  const auto bits = hn::BitCast(di, value);
  const auto ordered = hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(di, 0x7fffffff)));
  const auto zero = hn::RebindMask(di, hn::Eq(value, hn::Zero(d)));
  // In integers: targets differ in whether a comparison for inequality with NaN holds.
  const auto nan = hn::Gt(hn::And(bits, hn::Set(di, 0x7fffffff)), hn::Set(di, 0x7f800000));
  return hn::IfThenElse(nan, hn::Set(di, std::numeric_limits<int32_t>::max()),
                        hn::IfThenZeroElse(zero, ordered));
}

template <class T>
void sort(void* out, const void* scores, const void* indices, size_t n) {
  using L = Lanes<T>;
  const hn::ScalableTag<int32_t> di;
  const size_t step = hn::Lanes(di);
  HWY_ALIGN T score[kSortGroup] = {};
  HWY_ALIGN int32_t key[kSortGroup], rank[kSortGroup];
  uint32_t index[kSortGroup];
  std::memcpy(score, scores, n * sizeof(T));
  std::memcpy(index, indices, n * sizeof *index);
  for (size_t i = 0; i < kSortGroup; i += step) hn::Store(key_of(L::load(score + i)), di, key + i);
  for (size_t i = n; i < kSortGroup; ++i) key[i] = std::numeric_limits<int32_t>::min();
  for (size_t i = 0; i < kSortGroup; i += step) {
    const auto mine = hn::Load(di, key + i), place = hn::Iota(di, static_cast<int32_t>(i));
    auto before = hn::Zero(di);
    for (size_t j = 0; j < kSortGroup; ++j) {
      const auto other = hn::Set(di, key[j]);
      const auto first =
          hn::Or(hn::Gt(other, mine),
                 hn::And(hn::Eq(other, mine), hn::Gt(place, hn::Set(di, static_cast<int32_t>(j)))));
      before = hn::Sub(before, hn::VecFromMask(di, first));
    }
    hn::Store(before, di, rank + i);
  }
  for (size_t i = 0; i < n; ++i) {
    uint8_t record[kRecordBytes] = {};
    std::memcpy(record, score + i, sizeof(T));
    std::memcpy(record + 4, index + i, sizeof *index);
    std::memcpy(static_cast<uint8_t*>(out) + static_cast<uint32_t>(rank[i]) * kRecordBytes, record,
                kRecordBytes);
  }
}

}  // namespace

const SortTable* sort_kernels() {
  static const SortTable all{{&sort<Half>, &sort<float>}};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(sort_kernels);
const DispatchedTable sort_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(sort_kernels)(); });
}  // namespace toprope::isa
#endif
