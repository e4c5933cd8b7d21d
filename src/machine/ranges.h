// The exact byte ranges behind an instruction's access.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>

#include "machine/observer.h"

namespace toprope {

namespace detail {

/// Hands out ranges, joining those that touch: most strided accesses are one range after all.
template <class F>
class Joiner {
 public:
  explicit Joiner(F& f) : f_(f) {}
  void add(uint64_t begin, uint64_t end) {
    if (begin == end_ && end_ != begin_) {
      end_ = end;
      return;
    }
    flush();
    begin_ = begin;
    end_ = end;
  }
  void flush() {
    if (end_ != begin_) f_(begin_, end_);
    begin_ = end_ = 0;
  }

 private:
  F& f_;
  uint64_t begin_ = 0, end_ = 0;
};

}  // namespace detail

/// Calls f(begin, end) for each range of bytes that takes part, in the order of the access.
template <class F>
void for_each_range(const Access& a, F&& f) {
  detail::Joiner<F> join(f);
  for (uint32_t r = 0; r < a.repeats; ++r) {
    const uint64_t row = a.slice.at + r * a.repeat_stride;
    uint32_t left =
        a.last && r + 1 == a.repeats ? a.last * a.element : ~0u;  // bytes of a shorter last repeat
    for (uint32_t b = 0; b < a.blocks; ++b) {
      const uint64_t at = row + (a.places ? a.places[b] : b * a.block_stride);
      if (!a.element || (a.mask[0] == 0 && a.mask[1] == 0)) {
        const uint32_t bytes = a.element ? std::min(a.run, left) : a.run;
        if (bytes) join.add(at, at + bytes);
        left -= std::min(left, a.run);
        continue;
      }
      const uint32_t per_block = a.run / a.element, first = b * per_block;
      uint64_t bits = first < 128 ? a.mask[first / 64] >> (first % 64) : 0;
      if (per_block < 64) bits &= (uint64_t{1} << per_block) - 1;
      if (left != ~0u) {
        const uint32_t here = std::min(per_block, left / a.element);
        if (here < 64) bits &= (uint64_t{1} << here) - 1;
        left -= here * a.element;
      }
      while (bits) {
        const auto from = static_cast<uint32_t>(std::countr_zero(bits));
        const auto n = static_cast<uint32_t>(std::countr_one(bits >> from));
        join.add(at + from * a.element, at + (from + n) * a.element);
        bits = from + n >= 64 ? 0 : bits >> (from + n) << (from + n);
      }
    }
  }
  join.flush();
}

/// The smallest range around an access.
struct Range {
  uint64_t begin, end;
};
inline Range extent(const Access& a) {
  Range all{~uint64_t{0}, 0};
  for_each_range(a, [&](uint64_t begin, uint64_t end) {
    all.begin = std::min(all.begin, begin);
    all.end = std::max(all.end, end);
  });
  return all;
}

}  // namespace toprope
