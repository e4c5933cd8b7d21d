// High-level functions of integers, as compositions of vector instructions.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// Bytes of temporary memory that an element of each needs, in steps of 64 elements.
inline constexpr uint32_t kPowerIntBytes = 6 * 4, kXorBytes = 2;

/// A source that is a number instead of a tensor: 0 the base, 1 the exponent, -1 none.
struct ScalarSource {
  int index;
  int32_t value;
};

/// dst = base^exponent modulo 2^32; a negative exponent gives 0 but for the bases 1 and -1.
void power_int(const Slice& dst, const Slice& base, const Slice& exponent, const ScalarSource& scalar,
               const Temporary& temporary, uint32_t count);

/// dst = src0 ^ src1 for int16_t and uint16_t.
void bitwise_xor(DType type, const Slice& dst, const Slice& src0, const Slice& src1,
                 const Temporary& temporary, uint32_t count);

}  // namespace toprope::lib
