// The logarithm of the gamma function, and its derivative.
#include "lib/bodies.h"

namespace toprope::lib::body {
namespace {

using isa::Compare;
using isa::Round;

constexpr float kPi = 3.14159265f;

/// dst = 1 / a.
void invert(const Vec& v, const Slice& dst, const Slice& a) {
  v.fill(dst, 1.0f);
  v.div(dst, dst, a);
}

/// ln gamma(a) for a >= 0 into t[3]; |x| is in t[0] and stays.
void log_gamma(const Pass& p) {
  // Below 3 from e P(e) = ln gamma(2 + e), a fit on [-1/2, 1]: gamma(a) is gamma(a + 2) / (a (a + 1)) below
  // 1/2, gamma(a + 1) / a below 3/2.
  constexpr float near_two[] = {4.959587045e-05f, -2.208895842e-04f, 5.413129107e-04f, -1.204519678e-03f,
                                2.884252969e-03f, -7.382757484e-03f, 2.058131945e-02f, -6.735248604e-02f,
                                3.224670187e-01f, 4.227843369e-01f};
  // Stirling's series from 3 on: Bernoulli numbers B_2k / (2k (2k - 1)).
  constexpr float stirling[] = {1.0f / 1188, -1.0f / 1680, 1.0f / 1260, -1.0f / 360, 1.0f / 12};
  const Slice &a = p.t[0], &e = p.t[1], &c = p.t[2], &result = p.t[3], &large = p.t[4];
  const Slice &below_half = p.t[5], below_three_halves = bits_in(p.t[5], 1);
  p.v.compare(below_half, a, Compare::LT, 0.5f);
  p.v.compare(below_three_halves, a, Compare::LT, 1.5f);
  p.v.adds(e, a, -2.0f);
  p.v.adds(result, a, -1.0f);
  p.v.select(e, below_three_halves, result, e);
  p.v.select(e, below_half, a, e);
  p.v.select(c, below_three_halves, a, 1.0f);
  p.v.adds(result, a, 1.0f);
  p.v.mul(result, result, a);
  p.v.select(c, below_half, result, c);
  p.v.ln(c, c);
  p.v.polynomial(result, e, near_two);
  p.v.mul(result, result, e);
  p.v.sub(result, result, c);

  invert(p.v, e, a);
  p.v.mul(c, e, e);
  p.v.polynomial(large, c, stirling);
  p.v.mul(large, large, e);
  p.v.ln(e, a);
  p.v.adds(e, e, -1.0f);
  p.v.adds(c, a, -0.5f);
  p.v.mul(e, e, c);
  p.v.adds(large, large, 0.418938533f);
  p.v.add(large, large, e);
  p.v.compare(below_half, a, Compare::LT, 3.0f);
  p.v.select(result, below_half, result, large);
}

}  // namespace

void Lgamma(const Pass& p) {
  // For negative x: ln pi - ln |x sin(pi x)| - ln gamma(-x).
  const Slice &a = p.t[0], &y = p.t[1], &z = p.t[2], &result = p.t[3], &reflected = p.t[4], &bits = p.t[5];
  p.v.abs(a, p.in[0]);
  log_gamma(p);
  p.v.round(y, a, Round::Rint);
  p.v.sub(y, a, y);
  p.v.muls(y, y, kPi);
  quarter_sine(p.v, reflected, y, z);
  p.v.abs(reflected, reflected);
  p.v.mul(reflected, reflected, a);
  p.v.ln(reflected, reflected);
  p.v.add(reflected, reflected, result);
  p.v.muls(reflected, reflected, -1.0f);
  p.v.adds(reflected, reflected, 1.14472989f);
  p.v.compare(bits, p.in[0], Compare::LT, 0.0f);
  p.v.select(p.out, bits, reflected, result);
}

void Digamma(const Pass& p) {
  // Negative x: psi(1 - x) - pi cot(pi x). Below 6: psi(y + 6) less the six reciprocals in between. From 6
  // on: ln w - 1 / 2w - the series of Bernoulli numbers B_2k / (2k w^2k).
  constexpr float series[] = {-1.0f / 240, 1.0f / 252, -1.0f / 120, 1.0f / 12};
  constexpr int steps = 6;
  const Slice &y = p.t[0], &w = p.t[1], &sum = p.t[2], &s = p.t[3], &one = p.t[4];
  const Slice &negative = p.t[5], small = bits_in(p.t[5], 1), &u = p.t[6];
  p.v.compare(negative, p.in[0], Compare::LT, 0.0f);
  p.v.muls(y, p.in[0], -1.0f);
  p.v.adds(y, y, 1.0f);
  p.v.select(y, negative, y, p.in[0]);
  p.v.compare(small, y, Compare::LT, static_cast<float>(steps));
  p.v.fill(one, 1.0f);
  p.v.div(sum, one, y);
  for (int i = 1; i < steps; ++i) {
    p.v.adds(s, y, static_cast<float>(i));
    p.v.div(s, one, s);
    p.v.add(sum, sum, s);
  }
  p.v.select(sum, small, sum, 0.0f);
  p.v.adds(w, y, static_cast<float>(steps));
  p.v.select(w, small, w, y);

  p.v.div(s, one, w);
  p.v.mul(u, s, s);
  p.v.polynomial(y, u, series);
  p.v.mul(y, y, u);
  p.v.muls(s, s, 0.5f);
  p.v.add(y, y, s);
  p.v.add(y, y, sum);
  p.v.ln(w, w);
  p.v.sub(y, w, y);

  p.v.round(w, p.in[0], Round::Rint);
  p.v.sub(w, p.in[0], w);
  p.v.abs(s, w);
  p.v.muls(s, s, -kPi);
  p.v.adds(s, s, 0.5f * kPi);
  quarter_sine(p.v, one, s, u);
  p.v.muls(w, w, kPi);
  quarter_sine(p.v, s, w, u);
  p.v.div(one, one, s);
  p.v.muls(one, one, kPi);
  p.v.sub(one, y, one);
  p.v.select(p.out, negative, one, y);
}

}  // namespace toprope::lib::body
