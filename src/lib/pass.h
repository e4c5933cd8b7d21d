// One pass of an element-wise function: as many elements as the temporary memory has room for.
#pragma once
#include "lib/vec.h"

namespace toprope::lib {

inline constexpr int kMostSources = 2;
inline constexpr int kMostPieces = 10;

/// A body reads `in` and writes the result to `out` with its last instructions: out may be the same memory as
/// in, so nothing of in is read once out was written.
struct Pass {
  Vec v;
  Slice out, in[kMostSources];
  Slice t[kMostPieces];  ///< pieces of a float an element
  float parameter = 0;
  uint32_t level = 0;
};

/// The bits of a comparison in one half of a piece.
inline Slice bits_in(const Slice& piece, int half) {
  Slice s = piece;
  s.at += (piece.end - piece.begin) / 64 * 32 * static_cast<uint64_t>(half);
  return s;
}

/// dst = e^y - 1; y stays. dst, l and m are pieces of their own.
inline void expm1(const Vec& v, const Slice& dst, const Slice& y, const Slice& l, const Slice& m) {
  // (u - 1) · y / ln u: the rounding of u = e^y cancels.
  v.exp(dst, y);
  v.ln(l, dst);
  v.compare(m, dst, isa::Compare::EQ, 1.0f);
  v.adds(dst, dst, -1.0f);
  v.mul(dst, dst, y);
  v.div(dst, dst, l);
  v.select(dst, m, y, dst);
}

/// dst = ln(1 + x); x stays. dst, w, c and m are pieces of their own.
inline void log1p(const Vec& v, const Slice& dst, const Slice& x, const Slice& w, const Slice& c,
                  const Slice& m) {
  // What rounding 1 + x lost, over 1 + x, is the first term that ln(1 + x) lacks.
  v.adds(w, x, 1.0f);
  v.ln(dst, w);
  v.adds(c, w, -1.0f);
  v.sub(c, x, c);
  v.div(c, c, w);
  v.compare(m, c, isa::Compare::LT, __builtin_inff());
  v.select(c, m, c, 0.0f);
  v.add(dst, dst, c);
}

/// dst = y + y · z · P(z), where z = y²; dst, z and y are pieces of their own.
inline void odd(const Vec& v, const Slice& dst, const Slice& y, const Slice& z,
                std::span<const float> coefficients) {
  v.polynomial(dst, z, coefficients);
  v.mul(dst, dst, z);
  v.mul(dst, dst, y);
  v.add(dst, dst, y);
}

/// dst = sin y for |y| up to pi/2; dst, y and z are pieces of their own.
inline void quarter_sine(const Vec& v, const Slice& dst, const Slice& y, const Slice& z) {
  constexpr float coefficients[] = {-2.407290966e-08f, 2.753611439e-06f, -1.984108133e-04f, 8.333332744e-03f,
                                    -1.666666666e-01f};
  v.mul(z, y, y);
  odd(v, dst, y, z, coefficients);
}

/// k = the lowest bit of the whole number k, 0 or 1.
inline void parity(const Vec& v, const Slice& k, const Slice& scratch) {
  v.muls(scratch, k, 0.5f);
  v.round(scratch, scratch, isa::Round::Floor);
  v.muls(scratch, scratch, -2.0f);
  v.add(k, k, scratch);
}

/// 1 for 0, -1 for 1.
inline void sign_of_parity(const Vec& v, const Slice& dst, const Slice& k) {
  v.muls(dst, k, -2.0f);
  v.adds(dst, dst, 1.0f);
}

/// dst = min(max(a, -limit), limit).
inline void clamp(const Vec& v, const Slice& dst, const Slice& a, float limit) {
  v.mins(dst, a, limit);
  v.maxs(dst, dst, -limit);
}

}  // namespace toprope::lib
