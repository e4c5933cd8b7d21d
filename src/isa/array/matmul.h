// Matrix products of arrays in row-major order.
#pragma once
#include <cstdint>

#include "toprope/types/dtype.h"

namespace toprope::isa::array {

/// What a product is added to.
enum class MatmulStart : uint8_t { Zero, Bias, Accumulate };

/// c[m, n] = start + a[m, k] · b[k, n]: for each element, starting from 0, from bias[n] or from c itself, the
/// products are added one after the other with k growing, each addition rounded once (fused). Only halves are
/// added in an order of the processor's where it has matrix tiles: their products are exact, and a sum is off
/// by no more than k · 2^-23 of the sum of the magnitudes, in any order. half and bfloat16 inputs are summed
/// in float; where c is one of them, the start is converted exactly and the sum rounded once, at the end.
/// int8_t inputs give int32_t, which wraps. c overlaps neither input. `in` and `out`: Half, BFloat16 or Float
/// to Float; Half to Half; BFloat16 to BFloat16; Int8 to Int32. Throws std::invalid_argument for other pairs.
void matmul(DType in, DType out, void* c, const void* a, const void* b, const void* bias, MatmulStart start,
            int64_t m, int64_t k, int64_t n);

}  // namespace toprope::isa::array
