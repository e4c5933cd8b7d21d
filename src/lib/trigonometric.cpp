// Sine, cosine, tangent and their inverses. Polynomials are fits of least greatest relative error.
#include "lib/bodies.h"

namespace toprope::lib::body {
namespace {

using isa::Compare;
using isa::Round;

constexpr float kPi = 3.14159265f, kPiLow = -8.74227766e-8f;
constexpr float kHalfPi = 1.57079633f, kHalfPiLow = -4.37113883e-8f;

// pi in parts of 8 bits and a rest: products with a count of 16 bits are exact but for the last.
constexpr float kPiParts[] = {3.140625f, 9.65118408203125e-4f, 2.5331974029541016e-6f, 1.98418725894e-9f};

/// r = x - k · pi · scale.
void reduce(const Vec& v, const Slice& r, const Slice& x, const Slice& k, const Slice& scratch, float scale) {
  const Slice* rest = &x;
  for (const float part : kPiParts) {
    v.muls(scratch, k, -part * scale);
    v.add(r, *rest, scratch);
    rest = &r;
  }
}

/// sin x = (-1)^k sin(x - k pi), cos x = (-1)^k sin(x - (k - 1/2) pi).
void sine(const Pass& p, float shift) {
  const Slice &k = p.t[0], &r = p.t[1], &z = p.t[2];
  p.v.muls(k, p.in[0], 0.318309886f);
  if (shift != 0) p.v.adds(k, k, shift);
  p.v.round(k, k, Round::Rint);
  if (shift != 0) p.v.adds(k, k, -shift);
  reduce(p.v, r, p.in[0], k, z, 1.0f);
  if (shift != 0) p.v.adds(k, k, shift);
  parity(p.v, k, z);
  sign_of_parity(p.v, k, k);
  p.v.mul(r, r, k);
  quarter_sine(p.v, k, r, z);
  clamp(p.v, p.out, k, 1.0f);
}

/// p = asin(y) in t[3], where y = |x| up to 1/2 (bits in t[4]) and sqrt((1 - |x|) / 2) above.
void half_angle(const Pass& p) {
  constexpr float coefficients[] = {3.820524391e-02f, 2.649545787e-02f, 4.501042518e-02f, 7.498810999e-02f,
                                    1.666667275e-01f};
  const Slice &a = p.t[0], &z = p.t[1], &y = p.t[2], &result = p.t[3], &small = p.t[4];
  p.v.abs(a, p.in[0]);
  p.v.compare(small, a, Compare::LE, 0.5f);
  p.v.muls(z, a, -0.5f);
  p.v.adds(z, z, 0.5f);
  p.v.sqrt(y, z);
  p.v.mul(result, a, a);
  p.v.select(z, small, result, z);
  p.v.select(y, small, a, y);
  odd(p.v, result, y, z, coefficients);
}

/// dst = high + low - factor · angle.
void complement(const Vec& v, const Slice& dst, const Slice& angle, float factor, float high, float low) {
  v.muls(dst, angle, -factor);
  v.adds(dst, dst, low);
  v.adds(dst, dst, high);
}

}  // namespace

void Sin(const Pass& p) { sine(p, 0); }
void Cos(const Pass& p) { sine(p, 0.5f); }

void Tan(const Pass& p) {
  // tan x = tan(x - k pi/2), and for odd k the negative reciprocal of it.
  constexpr float coefficients[] = {8.270962765e-03f, 5.069365043e-03f, 2.317566918e-02f,
                                    5.377174577e-02f, 1.333439384e-01f, 3.333332419e-01f};
  const Slice &k = p.t[0], &r = p.t[1], &z = p.t[2], &is_odd = p.t[3];
  p.v.muls(k, p.in[0], 0.636619772f);
  p.v.round(k, k, Round::Rint);
  reduce(p.v, r, p.in[0], k, z, 0.5f);
  parity(p.v, k, z);
  p.v.compare(is_odd, k, Compare::EQ, 1.0f);
  p.v.mul(z, r, r);
  odd(p.v, k, r, z, coefficients);
  p.v.fill(z, -1.0f);
  p.v.div(z, z, k);
  p.v.select(p.out, is_odd, z, k);
}

void Asin(const Pass& p) {
  half_angle(p);
  const Slice &other = p.t[1], &angle = p.t[3], &small = p.t[4];
  complement(p.v, other, angle, 2.0f, kHalfPi, kHalfPiLow);
  p.v.select(angle, small, angle, other);
  p.v.copy_sign(p.out, angle, p.in[0], other);
}

void Acos(const Pass& p) {
  half_angle(p);
  const Slice &inner = p.t[0], &other = p.t[1], &angle = p.t[3], &small = p.t[4];
  const Slice negative = bits_in(p.t[4], 1);
  p.v.copy_sign(inner, angle, p.in[0], other);
  complement(p.v, inner, inner, 1.0f, kHalfPi, kHalfPiLow);
  complement(p.v, other, angle, 2.0f, kPi, kPiLow);
  p.v.muls(angle, angle, 2.0f);
  p.v.compare(negative, p.in[0], Compare::LT, 0.0f);
  p.v.select(angle, negative, other, angle);
  p.v.select(p.out, small, inner, angle);
}

void Atan(const Pass& p) {
  // Above 1: pi/2 - atan(1/x); above tan(pi/8): pi/4 + atan((x - 1) / (x + 1)).
  constexpr float coefficients[] = {-6.455489546e-02f, 1.074499836e-01f, -1.426409659e-01f, 1.999954552e-01f,
                                    -3.333333179e-01f};
  const Slice &y = p.t[0], &a = p.t[1], &b = p.t[2], &inverse = p.t[3];
  const Slice turned = bits_in(p.t[3], 1);
  p.v.abs(y, p.in[0]);
  p.v.compare(inverse, y, Compare::GT, 1.0f);
  p.v.fill(a, 1.0f);
  p.v.div(a, a, y);
  p.v.select(y, inverse, a, y);
  p.v.compare(turned, y, Compare::GT, 0.414213562f);
  p.v.adds(a, y, -1.0f);
  p.v.adds(b, y, 1.0f);
  p.v.div(a, a, b);
  p.v.select(y, turned, a, y);
  p.v.mul(a, y, y);
  odd(p.v, b, y, a, coefficients);
  p.v.adds(a, b, 0.785398163f);
  p.v.select(b, turned, a, b);
  complement(p.v, a, b, 1.0f, kHalfPi, kHalfPiLow);
  p.v.select(b, inverse, a, b);
  p.v.copy_sign(p.out, b, p.in[0], a);
}

}  // namespace toprope::lib::body
