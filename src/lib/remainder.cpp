// The remainder of a division that rounds towards zero.
#include "lib/bodies.h"

namespace toprope::lib::body {

using isa::Compare;
using isa::Round;

void Fmod(const Pass& p) {
  // r = |a| - q |b| with q of 12 bits and |b| in two parts, so that products are exact; once for the upper
  // bits of the quotient and once for the lower. A quotient that was rounded up leaves r below zero.
  const Slice &r = p.t[0], &b = p.t[1], &high = p.t[2], &low = p.t[3], &q = p.t[4], &mask = p.t[5];
  const Slice bits = p.t[6], second = bits_in(p.t[6], 1);
  p.v.abs(r, p.in[0]);
  p.v.abs(b, p.in[1]);
  p.v.compare(second, b, Compare::EQ, __builtin_inff());
  p.v.fill_bits(mask, 0xfffff000u);
  p.v.bit_and(high, b, mask);
  p.v.sub(low, b, high);
  for (int part = 0; part < 2; ++part) {
    p.v.div(q, r, b);
    p.v.round(q, q, Round::Trunc);
    p.v.bit_and(q, q, mask);
    p.v.mul(mask, q, high);
    p.v.sub(r, r, mask);
    p.v.mul(q, q, low);
    p.v.sub(r, r, q);
    if (part == 0) p.v.fill_bits(mask, 0xfffff000u);
  }
  p.v.add(q, r, b);
  p.v.compare(bits, r, Compare::LT, 0.0f);
  p.v.select(r, bits, q, r);
  p.v.sub(q, r, b);
  p.v.compare(bits, q, Compare::GE, 0.0f);
  p.v.select(r, bits, q, r);
  p.v.abs(q, p.in[0]);
  p.v.select(r, second, q, r);
  p.v.copy_sign(p.out, r, p.in[0], q);
}

}  // namespace toprope::lib::body
