// Integer and fractional parts, and the sign.
#include "lib/bodies.h"

namespace toprope::lib::body {

using isa::Compare;

void Trunc(const Pass& p) { p.v.round(p.out, p.in[0], isa::Round::Trunc); }
void Ceil(const Pass& p) { p.v.round(p.out, p.in[0], isa::Round::Ceil); }
void Floor(const Pass& p) { p.v.round(p.out, p.in[0], isa::Round::Floor); }
/// Ties go to the even neighbour.
void Round(const Pass& p) { p.v.round(p.out, p.in[0], isa::Round::Rint); }

void Frac(const Pass& p) {
  p.v.round(p.t[0], p.in[0], isa::Round::Trunc);
  p.v.sub(p.out, p.in[0], p.t[0]);
}

/// 0 for zeros and NaN.
void Sign(const Pass& p) {
  const Slice &plus = p.t[0], &minus = p.t[1], &bits = p.t[2];
  p.v.compare(bits, p.in[0], Compare::GT, 0.0f);
  p.v.fill(plus, 1.0f);
  p.v.select(plus, bits, plus, 0.0f);
  p.v.compare(bits, p.in[0], Compare::LT, 0.0f);
  p.v.fill(minus, -1.0f);
  p.v.select(minus, bits, minus, 0.0f);
  p.v.add(p.out, plus, minus);
}

}  // namespace toprope::lib::body
