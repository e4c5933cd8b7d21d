// Exponentials, logarithms to base 2, and powers.
#include <cmath>

#include "lib/bodies.h"

namespace toprope::lib::body {

using isa::Compare;
using isa::Round;

void Exp(const Pass& p) {
  // e^floor(x) times the first `level` terms of the series of the rest.
  if (p.level == 0) return p.v.exp(p.out, p.in[0]);
  const Slice &whole = p.t[0], &rest = p.t[1], &sum = p.t[2];
  p.v.round(whole, p.in[0], Round::Floor);
  p.v.sub(rest, p.in[0], whole);
  p.v.exp(whole, whole);
  p.v.fill(sum, 1.0f);
  for (uint32_t n = p.level; n > 0; --n) {
    p.v.mul(sum, sum, rest);
    p.v.muls(sum, sum, 1.0f / static_cast<float>(n));
    p.v.adds(sum, sum, 1.0f);
  }
  p.v.mul(p.out, whole, sum);
}

void Log2(const Pass& p) {
  p.v.ln(p.t[0], p.in[0]);
  p.v.muls(p.out, p.t[0], 1.44269504f);
}

namespace {

/// dst = c^y for normal c: 2^n e^r, where c = 2^k m with m in [sqrt(1/2), sqrt(2)], n + r / ln 2 = y log2 c
/// and y k is kept in two parts. Rounding ln m costs y 2^-26 of the result.
void normal_power(const Pass& p, const Slice& y, const Slice& dst) {
  const Slice &c = p.t[1], &k = p.t[2], &m = p.t[3], &high = p.t[4], &low = p.t[5];
  const Slice above = bits_in(p.t[6], 1);
  p.v.fill_bits(m, 0x7f800000u);
  p.v.bit_and(k, c, m);
  p.v.shift_right(k, k, 23);
  p.v.cast(DType::Float, k, DType::Int32, k);
  p.v.adds(k, k, -127.0f);
  p.v.fill_bits(m, 0x007fffffu);
  p.v.bit_and(m, c, m);
  p.v.fill_bits(high, 0x3f800000u);
  p.v.bit_or(m, m, high);
  p.v.compare(above, m, Compare::GT, 1.41421356f);
  p.v.muls(high, m, 0.5f);
  p.v.select(m, above, high, m);
  p.v.adds(high, k, 1.0f);
  p.v.select(k, above, high, k);
  p.v.ln(m, m);

  clamp(p.v, c, y, 1e30f);
  p.v.fill_bits(high, 0xfffff000u);
  p.v.bit_and(high, c, high);
  p.v.sub(low, c, high);
  p.v.mul(high, high, k);
  p.v.mul(low, low, k);
  p.v.mul(c, c, m);

  const Slice &n = p.t[2], &half = p.t[3];
  p.v.muls(n, c, 1.44269504f);
  p.v.add(n, n, high);
  p.v.add(n, n, low);
  p.v.round(n, n, Round::Rint);
  p.v.mins(n, n, 254.0f);
  p.v.maxs(n, n, -252.0f);
  p.v.sub(high, high, n);
  p.v.add(high, high, low);
  p.v.muls(high, high, 0.693147181f);
  p.v.add(c, c, high);
  p.v.exp(dst, c);

  // 2^n as a product of two, as n goes beyond the exponents of float.
  p.v.muls(half, n, 0.5f);
  p.v.round(half, half, Round::Floor);
  p.v.sub(n, n, half);
  for (const Slice* e : {&half, &n}) {
    p.v.cast(DType::Int32, *e, DType::Float, *e, Round::Rint);
    p.v.adds_int(*e, *e, 127);
    p.v.shift_left(*e, *e, 23);
    p.v.mul(dst, dst, *e);
  }
}

}  // namespace

void Power(const Pass& p) {
  const Slice &x = p.in[0], &y = p.in[1];
  const Slice &a = p.t[0], &c = p.t[1], &other = p.t[2], &scratch = p.t[3], &bits = p.t[6];
  const Slice second = bits_in(bits, 1);
  p.v.abs(a, x);
  p.v.mins(c, a, 3.40282347e38f);
  p.v.maxs(c, c, 1.17549435e-38f);
  p.v.compare(bits, c, Compare::EQ, a);
  normal_power(p, y, c);
  p.v.ln(other, a);  // zeros, infinities, subnormal numbers and NaN
  p.v.mul(other, other, y);
  p.v.exp(other, other);
  p.v.select(c, bits, c, other);

  // A negative base has the sign that a whole exponent gives it, and no other powers.
  p.v.round(other, y, Round::Rint);
  p.v.compare(bits, other, Compare::EQ, y);
  clamp(p.v, other, other, 33554432.0f);
  parity(p.v, other, scratch);
  sign_of_parity(p.v, other, other);
  p.v.mul(other, other, c);
  p.v.select(other, bits, other, std::nanf(""));
  p.v.compare(second, x, Compare::LT, 0.0f);
  p.v.select(c, second, other, c);
  p.v.compare(bits, y, Compare::EQ, 0.0f);
  p.v.fill(other, 1.0f);
  p.v.select(p.out, bits, other, c);
}

}  // namespace toprope::lib::body
