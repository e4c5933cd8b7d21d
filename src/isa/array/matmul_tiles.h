// The product of halves on processors that multiply tiles of bfloat16 (Intel AMX).
#pragma once
#include <cstddef>

#include "isa/array/matmul_table.h"

namespace toprope::isa::array {

/// The kernels for halves with sums in float; null where the processor or the system has no matrix tiles, and
/// while tests pin the portable target. A half is the sum of two bfloat16, so the four products of the parts
/// are exact, and only the order of the sums differs from the other kernels'.
const MatmulKernels* matmul_of_half_in_tiles();

/// Whether none of `n` halves is an infinity or a NaN: of those there are no two parts.
bool all_finite_halves(const void* data, size_t n);

}  // namespace toprope::isa::array
