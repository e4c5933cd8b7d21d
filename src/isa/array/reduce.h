// Reductions of arrays, in the order of the instructions: along consecutive elements a half or float sum is a
// binary tree over each 256 bytes, whose results are added one after the other; along any other axis rows are
// joined one after the other. Every addition is rounded in the element type (bfloat16 along consecutive
// elements: once, at the end). Maxima and minima are NaN when a NaN takes part.
#pragma once
#include <cstdint>

#include "toprope/isa/array.h"

namespace toprope::isa::array {

/// dst[o, i] = the reduction of src[o, 0 … n, i]; src is [outer, n, inner]. The reduction of nothing is 0, 1,
/// -inf, inf, or an end of the integers' range. Throws std::invalid_argument for an element type that has no
/// such reduction.
void reduce(Reduce op, DType type, void* dst, const void* src, int64_t outer, int64_t n, int64_t inner);

/// The place, 0 … n - 1, of the first greatest (Max) or least (Min) element; a NaN counts as both. n is at
/// least 1.
void reduce_index(Reduce op, DType type, int32_t* dst, const void* src, int64_t outer, int64_t n,
                  int64_t inner);

/// The element that changes nothing, into *dst.
void neutral(Reduce op, DType type, void* dst);

}  // namespace toprope::isa::array
