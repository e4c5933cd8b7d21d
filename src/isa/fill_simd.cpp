// Filling memory with a 4-byte pattern at the widest store the machine has.
#include <cstring>

#include "isa/fill_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/fill_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void fill(void* dst, uint32_t pattern, size_t bytes) {
  const hn::ScalableTag<uint32_t> d;
  const size_t step = hn::Lanes(d) * sizeof(uint32_t);
  const auto v = hn::Set(d, pattern);
  auto* at = static_cast<uint8_t*>(dst);
  for (; bytes >= step; bytes -= step, at += step) hn::StoreU(v, d, reinterpret_cast<uint32_t*>(at));
  for (; bytes >= sizeof pattern; bytes -= sizeof pattern, at += sizeof pattern)
    std::memcpy(at, &pattern, sizeof pattern);
  std::memcpy(at, &pattern, bytes);
}

}  // namespace

const FillTable* fill_kernels() {
  static const FillTable all{&fill};
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
