// IEEE binary16 as Ascend C's `half`: a 2-byte storage type whose every scalar operation rounds once, to
// nearest even. Not the compiler's _Float16: that type does not exist for C++ on every host compiler, and
// where it does, g++ may keep intermediate results in float.
#pragma once
#include <cstdint>
#include <limits>
#include <type_traits>

namespace toprope {

/// float → binary16 bits, round to nearest even; overflow gives infinity, NaN stays NaN (quiet).
constexpr uint16_t half_from_float(float value) {
  uint32_t x = __builtin_bit_cast(uint32_t, value);
  const uint16_t sign = static_cast<uint16_t>((x >> 16) & 0x8000u);
  x &= 0x7fffffffu;
  if (x > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((x >> 13) & 0x3ffu));
  if (x >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u);  // 65520 and up
  if (x < 0x38800000u) {                                               // below 2^-14: a denormal half
    if (x <= 0x33000000u) return sign;                                 // 2^-25 is the tie with zero
    const uint32_t shift = 126u - (x >> 23);
    const uint32_t mantissa = (x & 0x7fffffu) | 0x800000u;
    const uint32_t rest = mantissa & ((1u << shift) - 1u), tie = 1u << (shift - 1u);
    uint32_t r = mantissa >> shift;
    r += (rest > tie || (rest == tie && (r & 1u))) ? 1u : 0u;
    return static_cast<uint16_t>(sign | r);
  }
  x += 0xfffu + ((x >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((x - 0x38000000u) >> 13));
}

/// binary16 bits → float, exact.
constexpr float float_from_half(uint16_t bits) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t e = (bits >> 10) & 0x1fu, m = bits & 0x3ffu;
  if (e == 0) {
    const float magnitude = static_cast<float>(m) * 0x1p-24f;
    return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, magnitude) | sign);
  }
  const uint32_t exponent = e == 31 ? 0x7f800000u : (e + 112u) << 23;
  return __builtin_bit_cast(float, sign | exponent | (m << 13));
}

class bfloat16;

class half {
 public:
  half() = default;
  template <class N, std::enable_if_t<std::is_arithmetic<N>::value, int> = 0>
  constexpr half(N value) : bits_(half_from_float(static_cast<float>(value))) {}
  constexpr explicit half(bfloat16 value);
  static constexpr half from_bits(uint16_t bits) {
    half h{0};
    h.bits_ = bits;
    return h;
  }
  constexpr uint16_t bits() const { return bits_; }
  constexpr operator float() const { return float_from_half(bits_); }
  constexpr half operator-() const { return from_bits(static_cast<uint16_t>(bits_ ^ 0x8000u)); }
  constexpr half operator+() const { return *this; }
  template <class N>
  constexpr half& operator+=(N other) {
    return *this = half(float(*this) + static_cast<float>(other));
  }
  template <class N>
  constexpr half& operator-=(N other) {
    return *this = half(float(*this) - static_cast<float>(other));
  }
  template <class N>
  constexpr half& operator*=(N other) {
    return *this = half(float(*this) * static_cast<float>(other));
  }
  template <class N>
  constexpr half& operator/=(N other) {
    return *this = half(float(*this) / static_cast<float>(other));
  }
  constexpr half& operator++() { return *this += 1; }
  constexpr half& operator--() { return *this -= 1; }

 private:
  uint16_t bits_;
};

/// bfloat16_t: the upper half of a float; conversions from float round to nearest even.
class bfloat16 {
 public:
  bfloat16() = default;
  template <class N, std::enable_if_t<std::is_arithmetic<N>::value, int> = 0>
  constexpr bfloat16(N value) : bits_(round(static_cast<float>(value))) {}
  constexpr explicit bfloat16(half value) : bits_(round(float(value))) {}
  static constexpr bfloat16 from_bits(uint16_t bits) {
    bfloat16 b{0};
    b.bits_ = bits;
    return b;
  }
  constexpr uint16_t bits() const { return bits_; }
  constexpr operator float() const { return __builtin_bit_cast(float, static_cast<uint32_t>(bits_) << 16); }
  constexpr bfloat16 operator-() const { return from_bits(static_cast<uint16_t>(bits_ ^ 0x8000u)); }
  template <class N>
  constexpr bfloat16& operator+=(N other) {
    return *this = bfloat16(float(*this) + static_cast<float>(other));
  }
  template <class N>
  constexpr bfloat16& operator-=(N other) {
    return *this = bfloat16(float(*this) - static_cast<float>(other));
  }
  template <class N>
  constexpr bfloat16& operator*=(N other) {
    return *this = bfloat16(float(*this) * static_cast<float>(other));
  }
  template <class N>
  constexpr bfloat16& operator/=(N other) {
    return *this = bfloat16(float(*this) / static_cast<float>(other));
  }

 private:
  static constexpr uint16_t round(float value) {
    const uint32_t x = __builtin_bit_cast(uint32_t, value);
    if ((x & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>((x >> 16) | 0x40u);
    return static_cast<uint16_t>((x + 0x7fffu + ((x >> 16) & 1u)) >> 16);
  }
  uint16_t bits_;
};

constexpr half::half(bfloat16 value) : bits_(half_from_float(float(value))) {}

namespace detail {
template <class T>
inline constexpr bool is_half_kind = std::is_same<T, half>::value || std::is_same<T, bfloat16>::value;
// half∘half and half∘integer give half, as the device compiler's built-in type does; half∘float is float.
template <class A, class B>
inline constexpr bool is_half_op =
    (is_half_kind<A> && (std::is_same<A, B>::value || std::is_integral<B>::value)) ||
    (is_half_kind<B> && std::is_integral<A>::value);
template <class A, class B>
inline constexpr bool is_float_op = (is_half_kind<A> && std::is_floating_point<B>::value) ||
                                    (is_half_kind<B> && std::is_floating_point<A>::value);
template <class A, class B>
using half_result = std::conditional_t<is_half_kind<A>, A, B>;
template <class A, class B>
using float_result = std::conditional_t<is_half_kind<A>, B, A>;
}  // namespace detail

#define TOPROPE_HALF_OPERATOR(op)                                                                    \
  template <class A, class B, std::enable_if_t<detail::is_half_op<A, B>, int> = 0>                   \
  constexpr detail::half_result<A, B> operator op(A a, B b) {                                        \
    return detail::half_result<A, B>(static_cast<float>(a) op static_cast<float>(b));                \
  }                                                                                                  \
  template <class A, class B, std::enable_if_t<detail::is_float_op<A, B>, int> = 0>                  \
  constexpr detail::float_result<A, B> operator op(A a, B b) {                                       \
    return static_cast<detail::float_result<A, B>>(a) op static_cast<detail::float_result<A, B>>(b); \
  }
TOPROPE_HALF_OPERATOR(+)
TOPROPE_HALF_OPERATOR(-)
TOPROPE_HALF_OPERATOR(*)
TOPROPE_HALF_OPERATOR(/)
#undef TOPROPE_HALF_OPERATOR

#define TOPROPE_HALF_COMPARISON(op)                                                           \
  template <class A, class B,                                                                 \
            std::enable_if_t<detail::is_half_op<A, B> || detail::is_float_op<A, B>, int> = 0> \
  constexpr bool operator op(A a, B b) {                                                      \
    return static_cast<double>(a) op static_cast<double>(b);                                  \
  }
TOPROPE_HALF_COMPARISON(==)
TOPROPE_HALF_COMPARISON(!=)
TOPROPE_HALF_COMPARISON(<)
TOPROPE_HALF_COMPARISON(<=)
TOPROPE_HALF_COMPARISON(>)
TOPROPE_HALF_COMPARISON(>=)
#undef TOPROPE_HALF_COMPARISON

static_assert(sizeof(half) == 2 && std::is_trivial<half>::value, "half is storage, as on the device");
static_assert(sizeof(bfloat16) == 2 && std::is_trivial<bfloat16>::value, "bfloat16_t is storage");

}  // namespace toprope
