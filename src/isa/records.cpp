#include "isa/records.h"

#include <bit>
#include <cstring>
#include <limits>

namespace toprope::isa {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::min();  // behind every score

/// A number that orders as the scores do: NaN above all, ±0 equal. sort_simd.cpp has it for vectors.
template <bool wide>
int64_t key_of(const uint8_t* record) {
  float value;
  if constexpr (wide) {
    std::memcpy(&value, record, sizeof value);
  } else {
    uint16_t bits;
    std::memcpy(&bits, record, sizeof bits);
    value = float_from_half(bits);
  }
  if (value != value) return std::numeric_limits<int32_t>::max();
  if (value == 0) return 0;
  const auto bits = std::bit_cast<int32_t>(value);
  return bits < 0 ? bits ^ 0x7fffffff : bits;
}

template <bool wide>
Merged merged(uint8_t* out, const Run (&runs)[4], uint32_t room, bool until_exhausted) {
  int64_t head[4];
  const uint8_t *at[4], *end[4];
  for (int i = 0; i < 4; ++i) {
    at[i] = runs[i].at;
    end[i] = at[i] + size_t{runs[i].length} * kRecordBytes;
    head[i] = runs[i].length ? key_of<wide>(at[i]) : kNone;
  }
  Merged m;
  while (m.total < room) {
    int best = 0;
    for (int i = 1; i < 4; ++i)
      if (head[i] > head[best]) best = i;
    if (head[best] == kNone) break;
    if (out) std::memcpy(out + size_t{m.total} * kRecordBytes, at[best], kRecordBytes);
    ++m.total;
    ++m.taken[best];
    at[best] += kRecordBytes;
    if (at[best] == end[best]) {
      head[best] = kNone;
      if (until_exhausted) break;
    } else {
      head[best] = key_of<wide>(at[best]);
    }
  }
  return m;
}

}  // namespace

Merged merge_records(uint8_t* out, const Run (&runs)[4], uint32_t room, DType type, bool until_exhausted) {
  return type == DType::Float ? merged<true>(out, runs, room, until_exhausted)
                              : merged<false>(out, runs, room, until_exhausted);
}

}  // namespace toprope::isa
