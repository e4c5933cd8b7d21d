// Transposing blocks of 16 bytes by 16 bytes' worth of rows.
#include <cstring>

#include "isa/transpose_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/transpose_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void block(uint8_t* dst, size_t dst_step, const uint8_t* src, size_t src_step) {
  constexpr size_t n = 16 / sizeof(T);
#if HWY_TARGET == HWY_SCALAR  // what an unoptimised build has: no vectors of more than one lane
  for (size_t r = 0; r < n; ++r)
    for (size_t c = 0; c < n; ++c)
      std::memcpy(dst + c * dst_step + r * sizeof(T), src + r * src_step + c * sizeof(T), sizeof(T));
#else
  const hn::FixedTag<T, n> d;
  hn::Vec<decltype(d)> row[n], next[n];
  for (size_t i = 0; i < n; ++i) row[i] = hn::LoadU(d, reinterpret_cast<const T*>(src + i * src_step));
  // Interleaving the halves of the rows log2(n) times moves every element to its transposed place.
  for (size_t stage = 1; stage < n; stage *= 2) {
    for (size_t i = 0; i < n / 2; ++i) {
      next[2 * i] = hn::InterleaveLower(d, row[i], row[i + n / 2]);
      next[2 * i + 1] = hn::InterleaveUpper(d, row[i], row[i + n / 2]);
    }
    for (size_t i = 0; i < n; ++i) row[i] = next[i];
  }
  for (size_t i = 0; i < n; ++i) hn::StoreU(row[i], d, reinterpret_cast<T*>(dst + i * dst_step));
#endif
}

}  // namespace

const TransposeTable* transpose_kernels() {
  static const TransposeTable all{{nullptr, &block<uint8_t>, &block<uint16_t>, nullptr, &block<uint32_t>}};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(transpose_kernels);
const DispatchedTable transpose_table([]() -> const void* {
  return HWY_DYNAMIC_DISPATCH(transpose_kernels)();
});
}  // namespace toprope::isa
#endif
