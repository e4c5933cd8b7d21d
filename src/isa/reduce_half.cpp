#include "isa/reduce_half.h"

// Highway 1.0 has no half arithmetic, so this one kernel is written in the processor's intrinsics.
#if defined(__x86_64__) && (defined(__clang__) ? __clang_major__ >= 14 : __GNUC__ >= 12)
#define TOPROPE_HALF_ARITHMETIC 1
#include <immintrin.h>
#endif

namespace toprope::isa {

#if TOPROPE_HALF_ARITHMETIC

#define TOPROPE_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512fp16")))
#define TOPROPE_INLINE inline __attribute__((always_inline)) TOPROPE_TARGET

namespace {

using V = __m512i;

TOPROPE_INLINE V add(V a, V b) {
  return _mm512_castph_si512(_mm512_add_ph(_mm512_castsi512_ph(a), _mm512_castsi512_ph(b)));
}

// Each level adds neighbours of two vectors; a result takes the place of its left summand in both, side by
// side. So level k leaves units of 2^k halves, one for each of 2^k rows, and the rows stay in order.
TOPROPE_INLINE V join1(V a, V b) {
  return add(_mm512_mask_blend_epi16(0xAAAAAAAA, a, _mm512_slli_epi32(b, 16)),
             _mm512_mask_blend_epi16(0xAAAAAAAA, _mm512_srli_epi32(a, 16), b));
}
TOPROPE_INLINE V join2(V a, V b) {
  const V even = _mm512_set_epi32(30, 14, 28, 12, 26, 10, 24, 8, 22, 6, 20, 4, 18, 2, 16, 0);
  const V odd = _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
  return add(_mm512_permutex2var_epi32(a, even, b), _mm512_permutex2var_epi32(a, odd, b));
}
TOPROPE_INLINE V join4(V a, V b) { return add(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)); }
/// Of four 128-bit units, 0 with 1 and 2 with 3.
TOPROPE_INLINE V join8(V a, V b) {
  return add(_mm512_shuffle_i32x4(a, b, 0b10'00'10'00), _mm512_shuffle_i32x4(a, b, 0b11'01'11'01));
}

constexpr size_t kRow = 128, kRows = 32;

/// Rows `first` … + 2^level of a quarter of the columns.
template <int level>
TOPROPE_INLINE V joined(const uint16_t* at) {
  if constexpr (level == 0) {
    return _mm512_loadu_si512(at);
  } else {
    const V a = joined<level - 1>(at), b = joined<level - 1>(at + (kRow << (level - 1)));
    if constexpr (level == 1)
      return join1(a, b);
    else if constexpr (level == 2)
      return join2(a, b);
    else if constexpr (level == 3)
      return join4(a, b);
    else
      return join8(a, b);
  }
}

}  // namespace

bool has_half_arithmetic() { return __builtin_cpu_supports("avx512fp16"); }

TOPROPE_TARGET size_t sum_half_rows(uint16_t* out, const uint16_t* in, size_t rows) {
  size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    const uint16_t* at = in + r * kRow;
    const V left = add(joined<5>(at), joined<5>(at + 32)),
            right = add(joined<5>(at + 64), joined<5>(at + 96));
    _mm512_storeu_si512(out + r, add(left, right));
  }
  return r;
}

TOPROPE_TARGET void running_half_sum(uint16_t* value, const uint16_t* in, size_t n) {
  __m128h total = _mm_castsi128_ph(_mm_cvtsi32_si128(*value));
  for (size_t i = 0; i < n; ++i) total = _mm_add_sh(total, _mm_castsi128_ph(_mm_cvtsi32_si128(in[i])));
  *value = static_cast<uint16_t>(_mm_cvtsi128_si32(_mm_castph_si128(total)));
}

#undef TOPROPE_TARGET
#undef TOPROPE_INLINE

#else

bool has_half_arithmetic() { return false; }
size_t sum_half_rows(uint16_t*, const uint16_t*, size_t) { return 0; }
void running_half_sum(uint16_t*, const uint16_t*, size_t) {}

#endif

}  // namespace toprope::isa
