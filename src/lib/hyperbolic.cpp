// Hyperbolic functions and their inverses, through e^x - 1 and ln(1 + x), which keep small results precise.
#include "lib/bodies.h"

namespace toprope::lib::body {

using isa::Compare;

void Tanh(const Pass& p) {
  // E / (E + 2) with E = e^2x - 1. Beyond 10 the result is 1.
  const Slice &y = p.t[0], &e = p.t[1], &l = p.t[2];
  clamp(p.v, y, p.in[0], 10.0f);
  p.v.muls(y, y, 2.0f);
  expm1(p.v, e, y, l, p.t[3]);
  p.v.adds(l, e, 2.0f);
  p.v.div(p.out, e, l);
}

void Sinh(const Pass& p) {
  // (E + E / (E + 1)) / 2 with E = e^x - 1; from 9 on e^x / 2, whose halves cannot overflow before it does.
  const Slice &a = p.t[0], &y = p.t[1], &small = p.t[2], &large = p.t[3], &bits = p.t[4];
  p.v.abs(a, p.in[0]);
  p.v.mins(y, a, 30.0f);
  expm1(p.v, small, y, large, bits);
  p.v.adds(large, small, 1.0f);
  p.v.div(large, small, large);
  p.v.add(small, small, large);
  p.v.muls(small, small, 0.5f);
  p.v.muls(y, a, 0.5f);
  p.v.exp(y, y);
  p.v.muls(large, y, 0.5f);
  p.v.mul(large, large, y);
  p.v.compare(bits, a, Compare::LT, 9.0f);
  p.v.select(small, bits, small, large);
  p.v.copy_sign(p.out, small, p.in[0], large);
}

void Cosh(const Pass& p) {
  // h + 1 / 4h with h = e^|x| / 2.
  const Slice &e = p.t[0], &h = p.t[1];
  p.v.abs(e, p.in[0]);
  p.v.muls(e, e, 0.5f);
  p.v.exp(e, e);
  p.v.muls(h, e, 0.5f);
  p.v.mul(h, h, e);
  p.v.fill(e, 0.25f);
  p.v.div(e, e, h);
  p.v.add(p.out, h, e);
}

void Asinh(const Pass& p) {
  // ln(1 + |x| + x² / (1 + sqrt(1 + x²))).
  const Slice &a = p.t[0], &square = p.t[1], &root = p.t[2];
  p.v.abs(a, p.in[0]);
  p.v.mul(square, a, a);
  p.v.adds(root, square, 1.0f);
  p.v.sqrt(root, root);
  p.v.adds(root, root, 1.0f);
  p.v.div(square, square, root);
  p.v.add(square, square, a);
  log1p(p.v, a, square, root, p.t[3], p.t[4]);
  p.v.copy_sign(p.out, a, p.in[0], root);
}

void Acosh(const Pass& p) {
  // ln(1 + d + sqrt(d (d + 2))) with d = x - 1.
  const Slice &d = p.t[0], &root = p.t[1];
  p.v.adds(d, p.in[0], -1.0f);
  p.v.adds(root, d, 2.0f);
  p.v.mul(root, root, d);
  p.v.sqrt(root, root);
  p.v.add(d, d, root);
  log1p(p.v, p.out, d, root, p.t[2], p.t[3]);
}

void Atanh(const Pass& p) {
  // ln(1 + 2 |x| / (1 - |x|)) / 2.
  const Slice &a = p.t[0], &b = p.t[1];
  p.v.abs(a, p.in[0]);
  p.v.muls(b, a, -1.0f);
  p.v.adds(b, b, 1.0f);
  p.v.muls(a, a, 2.0f);
  p.v.div(a, a, b);
  log1p(p.v, b, a, p.t[2], p.t[3], p.t[4]);
  p.v.muls(b, b, 0.5f);
  p.v.copy_sign(p.out, b, p.in[0], a);
}

}  // namespace toprope::lib::body
