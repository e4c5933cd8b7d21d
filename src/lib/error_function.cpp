// The error function and its complement: rational functions, fits of least greatest relative error.
#include "lib/bodies.h"

namespace toprope::lib::body {

using isa::Compare;

void Erf(const Pass& p) {
  // x P(x²) / Q(x²); beyond 3.92 the result is 1.
  constexpr float numerator[] = {2.050086913e-06f, 2.848836158e-04f, 3.765642645e-03f,
                                 5.274880238e-02f, 1.904070236e-01f, 1.128379146e+00f};
  constexpr float denominator[] = {3.809175817e-05f, 1.162542347e-03f, 1.496926738e-02f,
                                   1.141093471e-01f, 5.020765718e-01f, 1.0f};
  const Slice &x = p.t[0], &z = p.t[1], &n = p.t[2];
  clamp(p.v, x, p.in[0], 3.92f);
  p.v.mul(z, x, x);
  p.v.polynomial(n, z, numerator);
  p.v.mul(n, n, x);
  p.v.polynomial(x, z, denominator);
  p.v.div(n, n, x);
  clamp(p.v, p.out, n, 1.0f);
}

void Erfc(const Pass& p) {
  // e^(-x²) R(|x|) / S(|x|), and 2 less that for negative x. x² = h² + (x - h)(x + h), where h is x with 11
  // bits and h² is exact.
  constexpr float numerator[] = {3.297088271e-02f, 2.300482961e-01f, 7.333429061e-01f, 1.240068800e+00f,
                                 1.0f};
  constexpr float denominator[] = {5.843869705e-02f, 4.077755926e-01f, 1.328614646e+00f,
                                   2.405841274e+00f, 2.368448567e+00f, 1.0f};
  const Slice &a = p.t[0], &h = p.t[1], &e = p.t[2], &d = p.t[3], &bits = p.t[4];
  p.v.abs(a, p.in[0]);
  p.v.mins(a, a, 10.3f);
  p.v.cast(DType::Half, e, DType::Float, a);
  p.v.cast(DType::Float, h, DType::Half, e);
  p.v.mul(e, h, h);
  p.v.muls(e, e, -1.0f);
  p.v.exp(e, e);
  p.v.sub(d, h, a);
  p.v.add(h, h, a);
  p.v.mul(d, d, h);
  p.v.exp(d, d);
  p.v.mul(e, e, d);
  p.v.polynomial(h, a, numerator);
  p.v.mul(e, e, h);
  p.v.polynomial(h, a, denominator);
  p.v.div(e, e, h);
  p.v.muls(h, e, -1.0f);
  p.v.adds(h, h, 2.0f);
  p.v.compare(bits, p.in[0], Compare::LT, 0.0f);
  p.v.select(p.out, bits, h, e);
}

}  // namespace toprope::lib::body
