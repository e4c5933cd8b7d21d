// Rounding by definition, in arithmetic that is exact for every value used: what the tests of half and of
// conversions compare with. Nothing here shares code with the library.
#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernel_operator.h"

namespace toprope::test {

/// Rounds an exact value to an integer.
inline long double to_integer(long double v, AscendC::RoundMode mode) {
  using AscendC::RoundMode;
  const long double down = floorl(v), up = ceill(v);
  if (down == up || std::isnan(v) || std::isinf(v)) return v;
  const long double nearest = v - down < up - v ? down : v - down > up - v ? up : 0;
  const bool tie = v - down == up - v;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return down;
    case RoundMode::CAST_CEIL:
      return up;
    case RoundMode::CAST_TRUNC:
      return v < 0 ? up : down;
    case RoundMode::CAST_ROUND:
      return tie ? (v < 0 ? down : up) : nearest;
    case RoundMode::CAST_ODD:
      return fmodl(down, 2) != 0 ? down : up;
    default:
      return tie ? (fmodl(down, 2) == 0 ? down : up) : nearest;
  }
}

/// Rounds an exact value to `bits` significant bits, exponents from `least` on (the exponent of the smallest
/// normal number) to where `over`, the first power of two that is too large, becomes infinity.
inline long double to_binary(long double v, AscendC::RoundMode mode, int bits, int least, long double over) {
  if (v == 0 || std::isnan(v) || std::isinf(v)) return v;
  const int exponent = std::max(ilogbl(v), least);
  const long double unit = ldexpl(1, exponent - bits + 1);
  const long double r = copysignl(to_integer(v / unit, mode) * unit, v);
  return fabsl(r) >= over ? copysignl(std::numeric_limits<long double>::infinity(), v) : r;
}

inline long double to_half(long double v, AscendC::RoundMode mode = AscendC::RoundMode::CAST_RINT) {
  return to_binary(v, mode, 11, -14, 65536);
}
inline long double to_bfloat16(long double v, AscendC::RoundMode mode) {
  return to_binary(v, mode, 8, -126, ldexpl(1, 128));
}
inline long double to_float(long double v, AscendC::RoundMode mode) {
  return to_binary(v, mode, 24, -126, ldexpl(1, 128));
}

/// The number behind half bits.
inline long double half_number(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const long double magnitude = exponent == 31  ? (mantissa ? std::numeric_limits<long double>::quiet_NaN()
                                                            : std::numeric_limits<long double>::infinity())
                                : exponent == 0 ? ldexpl(mantissa, -24)
                                                : ldexpl(1024 + mantissa, exponent - 25);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// The half bits of a number that half holds exactly.
inline uint16_t half_bits_of(long double v) {
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  v = fabsl(v);
  if (std::isnan(v)) return 0x7e00;
  if (std::isinf(v)) return sign | 0x7c00;
  if (v < ldexpl(1, -14)) return sign | static_cast<uint16_t>(ldexpl(v, 24));
  const int exponent = ilogbl(v);
  return sign |
         static_cast<uint16_t>(((exponent + 15) << 10) + static_cast<int>(ldexpl(v, 10 - exponent)) - 1024);
}

}  // namespace toprope::test
