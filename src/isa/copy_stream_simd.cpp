// Storing to memory that nobody reads soon: a plain store fetches the line first and pushes another one out
// of the cache. Loading from memory that is read in sequence: the next tile travels while this one is worked
// on.
#include <cstdint>
#include <cstring>

#include "isa/copy_stream.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/copy_stream_simd.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
constexpr size_t kLine = 64;

void store(void* dst, const void* src, size_t n) {
  const hn::ScalableTag<uint8_t> d;
  const size_t step = hn::Lanes(d);
  auto* to = static_cast<uint8_t*>(dst);
  const auto* from = static_cast<const uint8_t*>(src);
  const size_t head = (kLine - reinterpret_cast<uintptr_t>(to) % kLine) % kLine;
  if (step == 1 || n < head + 4 * kLine) {
    std::memcpy(to, from, n);
    return;
  }
  std::memcpy(to, from, head);
  to += head, from += head, n -= head;
  for (; n >= kLine; n -= kLine, to += kLine, from += kLine)
    for (size_t i = 0; i < kLine; i += step) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  hwy::FlushStream();
  std::memcpy(to, from, n);
}

void load(void* dst, const void* src, size_t n) {
  const hn::ScalableTag<uint8_t> d;
  const size_t step = hn::Lanes(d);
  auto* to = static_cast<uint8_t*>(dst);
  const auto* from = static_cast<const uint8_t*>(src);
  const uint8_t* ahead = from + n;
  for (; n >= kLine; n -= kLine, to += kLine, from += kLine, ahead += kLine) {
    __builtin_prefetch(ahead, 0, 2);  // into the second level: the first is needed for the work
    if (step == 1)
      std::memcpy(to, from, kLine);
    else
      for (size_t i = 0; i < kLine; i += step) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  }
  std::memcpy(to, from, n);
}

}  // namespace

const StreamTable* stream_choice() {
  static const StreamTable all{&store, &load};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(stream_choice);
const DispatchedTable stream_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(stream_choice)(); });
}  // namespace toprope::isa
#endif
