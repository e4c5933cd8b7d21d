// Conversions of arrays: the instruction's kernels where the chip has the pair; any other pair is composed of
// them through float, int32_t or int64_t, none of which loses what the last step needs to round once.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "isa/array/elementwise.h"
#include "isa/cast_table.h"
#include "isa/whole.h"

namespace toprope::isa::array {
namespace {

constexpr size_t kChunk = 512;  // elements converted at a time, on the stack

CastKernel kernel_of(DType to, DType from, Round round) {
  const auto* table = static_cast<const CastTable*>(cast_table.get());
  const auto& row = table->at[static_cast<int>(to)][static_cast<int>(from)];
  if (const CastKernel kernel = row[static_cast<int>(round)]) return kernel;
  // A pair that knows NONE alone is exact, or clamps: the mode does not matter.
  if (rounds_of(to, from) == one(Round::None)) return row[static_cast<int>(Round::None)];
  if (round == Round::None) return row[static_cast<int>(Round::Rint)];
  return nullptr;
}

constexpr bool floating(DType t) { return t == DType::Half || t == DType::BFloat16 || t == DType::Float; }

template <class F>
auto with_integer(DType type, F&& f) {
  switch (type) {
    case DType::Int8:
      return f(int8_t{});
    case DType::UInt8:
      return f(uint8_t{});
    case DType::Int16:
      return f(int16_t{});
    case DType::UInt16:
      return f(uint16_t{});
    case DType::Int32:
      return f(int32_t{});
    case DType::UInt32:
      return f(uint32_t{});
    case DType::Int64:
      return f(int64_t{});
    default:
      return f(uint64_t{});
  }
}

template <class To, class From>
To clamped(From v) {
  using L = std::numeric_limits<To>;
  if constexpr (std::is_signed_v<From> && !std::is_signed_v<To>)
    return v <= 0 ? To{0}
                  : static_cast<To>(
                        std::min<uint64_t>(static_cast<uint64_t>(v), static_cast<uint64_t>(L::max())));
  else if constexpr (std::is_signed_v<From>)
    return static_cast<To>(std::clamp<int64_t>(v, L::min(), L::max()));
  else
    return static_cast<To>(std::min<uint64_t>(v, static_cast<uint64_t>(L::max())));
}

void integers(DType to, void* dst, DType from, const void* src, size_t n) {
  with_integer(from, [&](auto source) {
    with_integer(to, [&](auto destination) {
      using From = decltype(source);
      using To = decltype(destination);
      auto* out = static_cast<To*>(dst);
      const auto* in = static_cast<const From*>(src);
      for (size_t i = 0; i < n; ++i) out[i] = clamped<To>(in[i]);
    });
  });
}

template <class To>
To to_integer(float v, Round round) {
  if (v != v) return 0;
  v = whole(v, round);
  using L = std::numeric_limits<To>;
  constexpr float low = static_cast<float>(L::min());
  constexpr float beyond = 2.0f * static_cast<float>(uint64_t{1} << (L::digits - 1));
  return v <= low ? L::min() : v >= beyond ? L::max() : static_cast<To>(v);
}

/// The magnitude as a float whose last bit says that more follows, so that a second rounding to fewer bits is
/// right.
float odd_float(uint64_t magnitude, bool negative) {
  const int cut = std::bit_width(magnitude) - 24;
  float f = static_cast<float>(magnitude);
  if (cut > 0) {
    const uint64_t kept = magnitude >> cut;
    const bool inexact = (kept << cut) != magnitude;
    f = std::ldexp(static_cast<float>(kept | (inexact ? 1u : 0u)), cut);
  }
  return negative ? -f : f;
}

void integers_to_float(float* out, DType from, const void* src, size_t n) {
  with_integer(from, [&](auto source) {
    using From = decltype(source);
    const auto* in = static_cast<const From*>(src);
    for (size_t i = 0; i < n; ++i) {
      const bool negative = in[i] < 0;
      const auto magnitude = static_cast<uint64_t>(in[i]);
      out[i] = odd_float(negative ? ~magnitude + 1 : magnitude, negative);
    }
  });
}

/// An integer rounded to float in one of the modes; the odd float would be wrong in its last bit.
float rounded_float(uint64_t magnitude, bool negative, Round round) {
  const int cut = std::bit_width(magnitude) - 24;
  float f = static_cast<float>(magnitude);
  if (cut > 0) {
    uint64_t kept = magnitude >> cut;
    const uint64_t rest = magnitude - (kept << cut), tie = uint64_t{1} << (cut - 1);
    switch (round) {
      case Round::Floor:
        kept += negative && rest;
        break;
      case Round::Ceil:
        kept += !negative && rest;
        break;
      case Round::Round:
        kept += rest >= tie;
        break;
      case Round::Trunc:
        break;
      case Round::Odd:
        kept |= rest != 0;
        break;
      default:
        kept += rest > tie || (rest == tie && (kept & 1));
    }
    f = std::ldexp(static_cast<float>(kept), cut);
  }
  return negative ? -f : f;
}

/// float to a narrower float; half and bfloat16 both have Odd only through its own arithmetic.
void from_float(DType to, void* dst, const float* src, Round round, size_t n) {
  if (const CastKernel kernel = kernel_of(to, DType::Float, round)) return kernel(dst, src, n, {false, 1.0f});
  if (to == DType::BFloat16) {  // Odd: the truncated bits, their last one set where something was cut off
    auto* out = static_cast<uint16_t*>(dst);
    for (size_t i = 0; i < n; ++i) {
      const auto bits = std::bit_cast<uint32_t>(src[i]);
      const bool nan = (bits & 0x7fffffff) > 0x7f800000;
      out[i] =
          static_cast<uint16_t>(nan ? (bits >> 16 & 0x8000) | 0x7fc0 : bits >> 16 | (bits & 0xffff ? 1 : 0));
    }
    return;
  }
  if (to == DType::Float) {
    auto* out = static_cast<float*>(dst);
    for (size_t i = 0; i < n; ++i) out[i] = whole(src[i], round) + 0.0f;
    return;
  }
  with_integer(to, [&](auto destination) {
    using To = decltype(destination);
    auto* out = static_cast<To*>(dst);
    for (size_t i = 0; i < n; ++i) out[i] = to_integer<To>(src[i], round);
  });
}

}  // namespace

void cast(DType to, void* dst, DType from, const void* src, Round round, size_t n) {
  if (to == from && to != DType::Float) {
    std::memmove(dst, src, n * size_of(to));
    return;
  }
  if (const CastKernel kernel = kernel_of(to, from, round)) return kernel(dst, src, n, {false, 1.0f});
  if (!floating(from) && !floating(to)) return integers(to, dst, from, src, n);
  if (!floating(from) && to == DType::Float) {
    with_integer(from, [&](auto source) {
      using From = decltype(source);
      auto* out = static_cast<float*>(dst);
      const auto* in = static_cast<const From*>(src);
      for (size_t i = 0; i < n; ++i) {
        const auto magnitude = static_cast<uint64_t>(in[i]);
        out[i] = rounded_float(in[i] < 0 ? ~magnitude + 1 : magnitude, in[i] < 0, round);
      }
    });
    return;
  }
  if (from == DType::Float) return from_float(to, dst, static_cast<const float*>(src), round, n);
  // Through exact (or odd) floats, a chunk at a time.
  float chunk[kChunk];
  const CastKernel widen = floating(from) ? kernel_of(DType::Float, from, Round::None) : nullptr;
  for (size_t i = 0; i < n; i += kChunk) {
    const size_t here = std::min(kChunk, n - i);
    const auto* at = static_cast<const uint8_t*>(src) + i * size_of(from);
    if (widen)
      widen(chunk, at, here, {false, 1.0f});
    else
      integers_to_float(chunk, from, at, here);
    from_float(to, static_cast<uint8_t*>(dst) + i * size_of(to), chunk, round, here);
  }
}

}  // namespace toprope::isa::array
