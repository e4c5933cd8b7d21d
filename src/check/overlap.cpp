#include "check/overlap.h"

#include <algorithm>
#include <vector>

#include "machine/ranges.h"
#include "toprope/isa/operand.h"

namespace toprope::check {
namespace {

using Ranges = std::vector<Range>;

/// The ranges of each repeat. Consecutive elements are taken in repeats, too: `widest` bytes are what the
/// instruction's widest operand has in all.
std::vector<Ranges> repeats_of(const Access& a, uint64_t widest) {
  std::vector<Ranges> all;
  if (a.repeats == 1 && a.blocks == 1) {
    const uint64_t step = std::max<uint64_t>(1, uint64_t{isa::kRepeatBytes} * a.run / widest),
                   end = a.slice.at + a.run;
    for (uint64_t at = a.slice.at; at < end; at += step) all.push_back({{at, std::min(at + step, end)}});
    return all;
  }
  all.resize(a.repeats);
  for (uint32_t r = 0; r < a.repeats; ++r) {
    Access one = a;
    one.slice.at += r * a.repeat_stride;
    one.repeats = 1;
    if (r + 1 != a.repeats) one.last = 0;
    for_each_range(one, [&](uint64_t begin, uint64_t end) { all[r].push_back({begin, end}); });
  }
  return all;
}

bool same(const Ranges& a, const Ranges& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Range& x, const Range& y) { return x.begin == y.begin && x.end == y.end; });
}

/// From the first byte to the end of a repeat, and of the whole access.
uint64_t row(const Access& a) {
  return (a.places ? a.places[a.blocks - 1] : uint64_t{a.blocks - 1} * a.block_stride) + a.run;
}
uint64_t reach(const Access& a) { return uint64_t{a.repeats - 1} * a.repeat_stride + row(a); }

/// Results narrower than their source that start where it starts: a repeat is read before it is written.
bool packed_in_place(const Ranges& written, const Ranges& read) {
  auto bytes = [](const Ranges& ranges) {
    uint64_t n = 0;
    for (const Range& r : ranges) n += r.end - r.begin;
    return n;
  };
  return !written.empty() && !read.empty() && written[0].begin == read[0].begin &&
         bytes(written) < bytes(read);
}

/// The first bytes that both have; empty when there are none.
Range shared(const Ranges& a, const Ranges& b) {
  for (const Range& x : a)
    for (const Range& y : b) {
      const uint64_t begin = std::max(x.begin, y.begin), end = std::min(x.end, y.end);
      if (begin < end) return {begin, end};
    }
  return {0, 0};
}

}  // namespace

Overlap overlap_of(const Access& dst, const Access& src) {
  if (dst.slice.mem != src.slice.mem) return {};
  if (dst.slice.at >= src.slice.at + reach(src) || src.slice.at >= dst.slice.at + reach(dst)) return {};
  // In place, repeat by repeat.
  if (!dst.places && !src.places && dst.slice.at == src.slice.at && dst.run == src.run &&
      dst.element == src.element && dst.block_stride == src.block_stride &&
      dst.repeat_stride == src.repeat_stride && (dst.repeats == 1 || dst.repeat_stride >= row(dst)))
    return {};
  const uint64_t widest = std::max(dst.run, src.run);
  const std::vector<Ranges> written = repeats_of(dst, widest), read = repeats_of(src, widest);
  for (uint32_t r = 0; r < read.size(); ++r)
    for (uint32_t w = 0; w <= r && w < written.size(); ++w) {
      if (w == r && (same(written[w], read[r]) || packed_in_place(written[w], read[r]))) continue;
      if (const Range both = shared(written[w], read[r]); both.end)
        return {w == r ? Overlap::Partial : Overlap::Across, both.begin, both.end, r, w};
    }
  return {};
}

bool may_accumulate(std::string_view instruction, const Access& dst, const Access& src) {
  constexpr std::string_view kNames[] = {"Add", "Sub", "Mul", "Max", "Min", "AddRelu", "SubRelu"};
  return std::ranges::find(kNames, instruction) != std::end(kNames) &&
         std::string_view(src.operand) == "src1" && (src.repeat_stride == 0 || dst.repeat_stride == 0);
}

Twice written_twice(const Access& a) {
  if (a.blocks == 1 && a.repeats == 1) return {};
  const uint64_t column = uint64_t{a.repeats - 1} * a.repeat_stride + a.run;
  const bool blocks_apart = a.blocks == 1 || a.block_stride >= a.run;
  const bool repeats_apart = a.repeats == 1 || a.repeat_stride >= a.run;
  if (blocks_apart && repeats_apart &&
      (a.repeats == 1 || a.blocks == 1 || a.repeat_stride >= row(a) || a.block_stride >= column))
    return {};
  Ranges all;
  for (uint32_t r = 0; r < a.repeats; ++r)
    for (uint32_t b = 0; b < a.blocks; ++b) {
      const uint64_t at = a.slice.at + r * a.repeat_stride + b * a.block_stride;
      all.push_back({at, at + a.run});
    }
  std::ranges::sort(all, {}, &Range::begin);
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].begin < all[i - 1].end) return {all[i].begin, std::min(all[i].end, all[i - 1].end)};
  return {};
}

}  // namespace toprope::check
