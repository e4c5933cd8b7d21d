// Functions of the scalar unit. The casts of scalars live with the vector Cast, whose rounding modes they
// share. Source: Ascend C API, scalar computation.
#pragma once
#include <type_traits>

#include "basic_api/kernel_common.h"
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
