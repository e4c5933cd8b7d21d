// Kernels of Gather and GatherMask.
#include <algorithm>
#include <cstring>

#include "isa/gather_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/gather_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

OffsetSpan span(const uint32_t* offsets, size_t n) {
  OffsetSpan s{~0u, 0, 0};
  for (size_t i = 0; i < n; ++i) {
    s.least = std::min(s.least, offsets[i]);
    s.most = std::max(s.most, offsets[i]);
    s.bits |= offsets[i];
  }
  return s;
}

void gather32(void* dst, const void* src, const uint32_t* offsets, size_t n) {
  const hn::ScalableTag<uint32_t> d;
  const hn::RebindToSigned<decltype(d)> di;
  auto* out = static_cast<uint32_t*>(dst);
  size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto at = hn::BitCast(di, hn::LoadU(d, offsets + i));
    hn::StoreU(hn::GatherOffset(d, static_cast<const uint32_t*>(src), at), d, out + i);
  }
  for (; i < n; ++i) std::memcpy(out + i, static_cast<const uint8_t*>(src) + offsets[i], sizeof *out);
}

void gather16(void* dst, const void* src, const uint32_t* offsets, size_t n) {
  auto* out = static_cast<uint16_t*>(dst);
  const auto* in = static_cast<const uint8_t*>(src);
  for (size_t i = 0; i < n; ++i) std::memcpy(out + i, in + offsets[i], sizeof *out);
}

template <class T>
size_t keep(void* out, const void* in, const uint8_t* bits, size_t n) {
  const hn::ScalableTag<T> d;
  const size_t step = hn::Lanes(d);
  static_assert(HWY_MAX_BYTES <= kKeepSlack);
  auto* to = static_cast<T*>(out);
  const auto* from = static_cast<const T*>(in);
  for (size_t i = 0; i < n; i += step) {
    const size_t here = std::min(step, n - i);
    uint64_t word;
    std::memcpy(&word, bits + i / 8, sizeof word);
    word = word >> (i % 8) & (here == 64 ? ~uint64_t{0} : (uint64_t{1} << here) - 1);
    uint8_t mask[sizeof word];
    std::memcpy(mask, &word, sizeof word);
    HWY_ALIGN T last[HWY_MAX_BYTES / sizeof(T)];
    if (here < step) std::memcpy(last, from + i, here * sizeof(T));
    const auto v = hn::LoadU(d, here < step ? last : from + i);
    to += hn::CompressStore(v, hn::LoadMaskBits(d, mask), d, to);
  }
  return static_cast<size_t>(to - static_cast<T*>(out));
}

}  // namespace

const GatherTable* gather_kernels() {
  static const GatherTable all{&span, {&gather16, &gather32}, {&keep<uint16_t>, &keep<uint32_t>}};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(gather_kernels);
const DispatchedTable gather_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(gather_kernels)(); });
}  // namespace toprope::isa
#endif
