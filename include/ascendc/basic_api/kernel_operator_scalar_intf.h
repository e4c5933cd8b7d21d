// Functions of the scalar unit. Source: Ascend C API, scalar computation.
#pragma once
#include <type_traits>

#include "basic_api/kernel_operator_vec_vconv_intf.h"
#include "toprope/machine/gm.h"

namespace AscendC {

/// num1 / num2, rounded up; for positive numbers. 0 when num2 is 0.
constexpr int32_t CeilDivision(int32_t num1, int32_t num2) {
  return num2 == 0 ? 0 : static_cast<int32_t>((int64_t{num1} + num2 - 1) / num2);
}

/// How many bits are countValue.
template <int countValue>
int64_t GetBitCount(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetBitCount counts 0 or 1");
  const int ones = __builtin_popcountll(valueIn);
  return countValue ? ones : 64 - ones;
}

/// The zeros above the highest one; 64 for 0.
[[gnu::always_inline]] inline int64_t CountLeadingZero(uint64_t valueIn) {
  return valueIn ? __builtin_clzll(valueIn) : 64;
}

/// The bits below the sign that are equal to it, from the highest on; -1 when all are.
[[gnu::always_inline]] inline int64_t CountBitsCntSameAsSignBit(int64_t valueIn) {
  return valueIn == 0 || valueIn == -1 ? -1 : __builtin_clrsbll(valueIn);
}

/// The lowest bit that is countValue; -1 when there is none.
template <int countValue>
int64_t GetSFFValue(uint64_t valueIn) {
  static_assert(countValue == 0 || countValue == 1, "GetSFFValue looks for 0 or 1");
  return __builtin_ffsll(static_cast<long long>(countValue ? valueIn : ~valueIn)) - 1;
}

/// valueIn in another type: float to half with CAST_ODD, float to int32_t with CAST_RINT, CAST_FLOOR,
/// CAST_CEIL or CAST_ROUND. Integers clamp.
template <class T, class U, RoundMode roundMode>
[[gnu::always_inline]] inline U Cast(T valueIn) {
  constexpr bool to_half = std::is_same_v<U, half> && roundMode == RoundMode::CAST_ODD;
  constexpr bool to_int = std::is_same_v<U, int32_t> &&
                          (roundMode == RoundMode::CAST_RINT || roundMode == RoundMode::CAST_FLOOR ||
                           roundMode == RoundMode::CAST_CEIL || roundMode == RoundMode::CAST_ROUND);
  static_assert(std::is_same_v<T, float> && (to_half || to_int),
                "the scalar Cast converts float to half with CAST_ODD, and float to int32_t with CAST_RINT, "
                "CAST_FLOOR, CAST_CEIL and CAST_ROUND");
  const uint64_t bits =
      toprope::isa::cast_scalar(toprope::dtype_of<U>, toprope::DType::Float, toprope::isa::scalar_of(valueIn),
                                static_cast<toprope::isa::Round>(roundMode))
          .bits;
  U result;
  __builtin_memcpy(static_cast<void*>(&result), &bits, sizeof result);
  return result;
}
/// The name before CANN 9.
template <class T, class U, RoundMode roundMode>
[[gnu::always_inline]] inline U ScalarCast(T valueIn) {
  return Cast<T, U, roundMode>(valueIn);
}

/// To nearest, ties to even.
[[gnu::always_inline]] inline bfloat16_t Cast(const float& fVal) { return bfloat16_t(fVal); }
[[gnu::always_inline]] inline float Cast(const bfloat16_t& bVal) { return static_cast<float>(bVal); }
[[gnu::always_inline]] inline bfloat16_t ToBfloat16(const float& fVal) { return Cast(fVal); }
[[gnu::always_inline]] inline float ToFloat(const bfloat16_t& bVal) { return Cast(bVal); }

/// Waits `count` cycles on the device; time plays no role here.
template <int count = 1>
[[gnu::always_inline]] inline void Nop() {}

/// A read that sees what other cores have written.
template <class T>
[[gnu::always_inline]] inline T ReadGmByPassDCache(__gm__ T* addr) {
  static_assert(std::is_integral_v<T>, "ReadGmByPassDCache takes integers of 8 to 64 bits");
  return static_cast<T>(toprope::read_gm(addr, sizeof(T)));
}

/// A write that other cores see.
template <class T>
[[gnu::always_inline]] inline void WriteGmByPassDCache(__gm__ T* addr, T value) {
  static_assert(std::is_integral_v<T>, "WriteGmByPassDCache takes integers of 8 to 64 bits");
  toprope::write_gm(addr, static_cast<uint64_t>(value), sizeof(T));
}

}  // namespace AscendC
