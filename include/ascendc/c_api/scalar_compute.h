// Bits of 64-bit integers. Source: C API, scalar computation.
#pragma once
#include "basic_api/kernel_operator_scalar_intf.h"

inline int64_t asc_popc(uint64_t value) { return AscendC::GetBitCount<1>(value); }
inline int64_t asc_zero_bits_cnt(uint64_t value) { return AscendC::GetBitCount<0>(value); }
inline int64_t asc_clz(uint64_t value_in) { return AscendC::CountLeadingZero(value_in); }
/// The lowest bit that is 1, and that is 0; -1 when there is none.
inline int64_t asc_ffs(uint64_t value) { return AscendC::GetSFFValue<1>(value); }
inline int64_t asc_ffz(uint64_t value) { return AscendC::GetSFFValue<0>(value); }
/// The bits below the sign that are equal to it; -1 when all are.
inline int64_t asc_sflbits(int64_t value) { return AscendC::CountBitsCntSameAsSignBit(value); }

/// Bit idx, modulo 64.
constexpr uint64_t asc_set_nthbit(uint64_t bits, int64_t idx) { return bits | uint64_t{1} << (idx & 63); }
constexpr uint64_t asc_clear_nthbit(uint64_t bits, int64_t idx) {
  return bits & ~(uint64_t{1} << (idx & 63));
}
