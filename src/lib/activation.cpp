// Activation functions of one element each.
#include "lib/bodies.h"

namespace toprope::lib::body {
namespace {

/// dst = 1 + e^(factor · x).
void logistic(const Vec& v, const Slice& dst, const Slice& x, float factor) {
  v.muls(dst, x, factor);
  v.exp(dst, dst);
  v.adds(dst, dst, 1.0f);
}

/// dst = 1 + e^(-2 sqrt(2/pi) (x + 0.044715 x³)): x over it is the tanh form of GELU.
void gelu_divisor(const Vec& v, const Slice& dst, const Slice& x) {
  v.mul(dst, x, x);
  v.muls(dst, dst, -0.0713548162726f);
  v.adds(dst, dst, -1.5957691216057308f);
  v.mul(dst, dst, x);
  v.exp(dst, dst);
  v.adds(dst, dst, 1.0f);
}

}  // namespace

void Sigmoid(const Pass& p) {
  logistic(p.v, p.t[0], p.in[0], -1.0f);
  p.v.fill(p.t[1], 1.0f);
  p.v.div(p.out, p.t[1], p.t[0]);
}

void Silu(const Pass& p) {
  logistic(p.v, p.t[0], p.in[0], -1.0f);
  p.v.div(p.out, p.in[0], p.t[0]);
}

void Swish(const Pass& p) {
  logistic(p.v, p.t[0], p.in[0], -p.parameter);
  p.v.div(p.out, p.in[0], p.t[0]);
}

void Gelu(const Pass& p) {
  gelu_divisor(p.v, p.t[0], p.in[0]);
  p.v.div(p.out, p.in[0], p.t[0]);
}

void FasterGelu(const Pass& p) {
  logistic(p.v, p.t[0], p.in[0], -1.702f);
  p.v.div(p.out, p.in[0], p.t[0]);
}

void FasterGeluV2(const Pass& p) {
  // x (sgn(x) (1/2 - 0.1444 (min(|0.7071 x|, 1.769) - 1.769)²) + 1/2), sgn(x) = (x + 1e-12) / |x + 1e-12|.
  const Slice &q = p.t[0], &s = p.t[1], &a = p.t[2];
  p.v.muls(q, p.in[0], 0.7071f);
  p.v.abs(q, q);
  p.v.mins(q, q, 1.769f);
  p.v.adds(q, q, -1.769f);
  p.v.mul(q, q, q);
  p.v.muls(q, q, -0.1444f);
  p.v.adds(q, q, 0.5f);
  p.v.adds(s, p.in[0], 1e-12f);
  p.v.abs(a, s);
  p.v.div(s, s, a);
  p.v.mul(q, q, s);
  p.v.adds(q, q, 0.5f);
  p.v.mul(p.out, p.in[0], q);
}

void GeGLU(const Pass& p) {
  gelu_divisor(p.v, p.t[0], p.in[1]);
  p.v.div(p.t[0], p.in[1], p.t[0]);
  p.v.mul(p.out, p.in[0], p.t[0]);
}

void ReGlu(const Pass& p) {
  p.v.relu(p.t[0], p.in[1]);
  p.v.mul(p.out, p.in[0], p.t[0]);
}

void SwiGLU(const Pass& p) {
  logistic(p.v, p.t[0], p.in[1], -p.parameter);
  p.v.div(p.t[0], p.in[1], p.t[0]);
  p.v.mul(p.out, p.in[0], p.t[0]);
}

}  // namespace toprope::lib::body
