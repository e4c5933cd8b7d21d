// What a conversion between element types must give, from rounding by its definition (support/exact.h).
#pragma once
#include <cstring>
#include <limits>
#include <type_traits>

#include "support/exact.h"

namespace toprope::test {

inline long double number(half v) { return half_number(v.bits()); }
inline long double number(bfloat16_t v) { return static_cast<float>(v); }
template <class T>
long double number(T v) {
  return v;
}

/// An exact, rounded value as an element: integers clamp, NaN is 0 among them.
template <class T>
T element(long double v) {
  if constexpr (std::is_same_v<T, half>) {
    return half::from_bits(half_bits_of(v));
  } else if constexpr (std::is_same_v<T, bfloat16_t>) {
    const float f = static_cast<float>(v);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bfloat16_t::from_bits(static_cast<uint16_t>(std::isnan(v) ? 0x7fc0 : bits >> 16));
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(v)) return 0;
    if (v <= static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (v >= static_cast<long double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(v);
  } else {
    return static_cast<T>(v);
  }
}

template <class To, class From>
To expected(From from, AscendC::RoundMode mode) {
  const long double v = number(from);
  if constexpr (std::is_same_v<To, half>)
    return element<To>(to_half(v, mode));
  else if constexpr (std::is_same_v<To, bfloat16_t>)
    return element<To>(to_bfloat16(v, mode));
  else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, float>) {
    const long double whole = to_integer(v, mode);
    return whole == 0 ? 0.0f : static_cast<float>(whole);
  } else if constexpr (std::is_same_v<To, float>)
    return element<To>(to_float(v, mode));
  else
    return element<To>(to_integer(v, mode));
}

}  // namespace toprope::test
