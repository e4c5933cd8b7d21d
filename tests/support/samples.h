// Inputs and exact references for arithmetic tests.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "kernel_operator.h"

namespace toprope::test {

/// v rounded once to half, to nearest even, by its definition.
inline half half_of(double v) {
  const uint16_t sign = std::signbit(v) ? 0x8000 : 0;
  const double a = std::fabs(v);
  if (std::isnan(v)) return half::from_bits(static_cast<uint16_t>(sign | 0x7e00));
  if (a >= 65520) return half::from_bits(static_cast<uint16_t>(sign | 0x7c00));
  const int e = a < 0x1p-14 ? -14 : std::ilogb(a);
  const int steps = static_cast<int>(std::nearbyint(std::ldexp(a, 10 - e)));  // of 2^(e-10)
  return half::from_bits(static_cast<uint16_t>(sign | (((e + 15) << 10) + steps - 1024)));
}

template <class T>
T from_double(double v) {
  if constexpr (std::is_same_v<T, half>)
    return half_of(v);
  else
    return static_cast<T>(v);
}

/// Ordinary values; the first 144 pair every special value with every other between an even and an odd seed.
template <class T>
std::vector<T> samples(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  if constexpr (std::is_integral_v<T>) {
    for (auto& x : v) x = static_cast<T>(random());
    const T edge[] = {0, 1, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    for (size_t i = 0; i < n && i < 25; ++i) v[i] = edge[seed % 2 ? i % 5 : i / 5];
  } else {
    constexpr bool narrow = std::is_same_v<T, half>;
    const double tiny = narrow ? 0x1p-24 : 0x1p-149, least = narrow ? 0x1p-14 : 0x1p-126;
    const double most = narrow ? 65504 : static_cast<double>(std::numeric_limits<float>::max());
    const double edge[] = {0.0,   -0.0, 1,     -1,       tiny,      -tiny,
                           least, most, -most, HUGE_VAL, -HUGE_VAL, std::nan("")};
    std::uniform_real_distribution<double> uniform(-1000, 1000);
    for (auto& x : v) x = from_double<T>(uniform(random));
    for (size_t i = 0; i < n && i < 144; ++i) v[i] = from_double<T>(edge[seed % 2 ? i % 12 : i / 12]);
  }
  return v;
}

/// Saturation mode, as documented: half becomes ±65504 for ±inf and 0 for NaN; float stays as it is.
template <class T>
T saturated(T v) {
  if constexpr (std::is_same_v<T, half>) {
    const float f = v;
    return f != f ? half(0) : std::isinf(f) ? half(f > 0 ? 65504 : -65504) : v;
  } else {
    return v;
  }
}

/// The whole number v in T: its low bits, or in saturation mode the nearest value of T.
template <class T>
T whole(int64_t v, bool saturate) {
  constexpr int64_t least = std::numeric_limits<T>::min(), most = std::numeric_limits<T>::max();
  if (saturate) v = v < least ? least : v > most ? most : v;
  return static_cast<T>(v);
}

inline double max_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) && std::signbit(b) ? -0.0 : 0.0;
  return a > b ? a : b;
}

inline double min_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) || std::signbit(b) ? -0.0 : 0.0;
  return a < b ? a : b;
}

/// max(0, v), +0 for -0; NaN stays.
inline double relu_of(double v) { return std::isnan(v) ? v : v > 0 ? v : 0.0; }

/// How far `got` is from the exact value, in units of the last place of the float nearest to it; 0 where both
/// are NaN or the same infinity.
inline double ulps(float got, double exact) {
  const float nearest = static_cast<float>(exact);
  if (std::isnan(exact) || std::isnan(got)) return std::isnan(exact) && std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(nearest) || std::isinf(got) || nearest == 0)
    return std::bit_cast<uint32_t>(nearest) == std::bit_cast<uint32_t>(got) ? 0 : HUGE_VAL;
  int e;
  std::frexp(nearest, &e);
  return std::fabs(static_cast<double>(got) - exact) / std::ldexp(1.0, e - 24 < -149 ? -149 : e - 24);
}

/// A random shape of the repeat forms, for operands of 8 blocks a repeat. A destination stride never lets
/// blocks of one repeat overlap.
struct RandomShape {
  explicit RandomShape(std::mt19937& random)
      : repeats(static_cast<uint8_t>(random() % 6)),
        by_bits(random() % 2),
        lanes(random() % 140),
        bits{random() * 0x100000001ull * (random() % 3 + 1), random() * 0x9e3779b97f4a7c15ull},
        dst_block(static_cast<uint8_t>(1 + random() % 2)),
        dst_repeat(static_cast<uint8_t>(random() % 17)) {
    for (auto& s : src_block) s = static_cast<uint8_t>(random() % 3);
    for (auto& s : src_repeat) s = static_cast<uint8_t>(random() % 12);
  }
  bool takes(uint32_t lane) const { return by_bits ? bits[lane / 64] >> (lane % 64) & 1 : lane < lanes; }
  uint8_t repeats;
  bool by_bits;
  uint64_t lanes;
  uint64_t bits[2];
  uint8_t dst_block, dst_repeat;
  uint8_t src_block[2], src_repeat[2];
};

}  // namespace toprope::test
