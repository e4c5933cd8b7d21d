#include "trace/l2.h"

#include <algorithm>
#include <bit>

namespace toprope::trace {
namespace {

constexpr uint64_t kLine = 512, kLines = 128, kGranule = kLine * kLines, kPlaces = 16384;

/// Bits [from, to) of a word.
uint64_t bits(uint64_t from, uint64_t to) {
  if (from >= to) return 0;
  const uint64_t below = to >= 64 ? ~uint64_t{0} : (uint64_t{1} << to) - 1;
  return below & ~((uint64_t{1} << from) - 1);
}

}  // namespace

L2::L2() : granules_(kPlaces) {}

void L2::begin(uint64_t capacity, uint32_t cores) {
  ++launch_;
  reach_ = capacity / std::max(1u, cores);
}

uint64_t L2::touch(uint64_t at, uint64_t bytes, uint64_t position) {
  uint64_t missing = 0;
  for (uint64_t end = at + bytes; at < end;) {
    const uint64_t number = at / kGranule, here = std::min(end, (number + 1) * kGranule);
    Granule& g = granules_[number % kPlaces];
    if (g.number != number || g.launch != launch_) g = {number, position, launch_, {0, 0}};
    const uint64_t age = std::max(position, g.position) - std::min(position, g.position);
    if (age > reach_) g.lines[0] = g.lines[1] = 0;
    const uint64_t first = at % kGranule / kLine, last = (here - number * kGranule + kLine - 1) / kLine;
    for (uint64_t w = 0; w < 2; ++w) {
      const uint64_t wanted = bits(first > w * 64 ? first - w * 64 : 0, last > w * 64 ? last - w * 64 : 0);
      missing += kLine * static_cast<uint64_t>(std::popcount(wanted & ~g.lines[w]));
      g.lines[w] |= wanted;
    }
    g.position = position;
    at = here;
  }
  return std::min(missing, bytes);
}

}  // namespace toprope::trace
