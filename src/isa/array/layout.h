// Moving elements of 1, 2, 4 or 8 bytes about: permuted axes and strided reads.
#pragma once
#include <cstddef>
#include <cstdint>

namespace toprope::isa::array {

inline constexpr int kMaxRank = 8;

/// dst (dense, of sizes shape[perm[0]], shape[perm[1]], …) = src (dense, of `shape`) with its axes permuted.
/// perm is a permutation of 0 … rank - 1. dst and src do not overlap.
void transpose(size_t element, void* dst, const void* src, int rank, const int64_t* shape, const int* perm);

/// dst (dense, of `shape`) = src read with `strides` in elements; a stride of 0 repeats.
void gather_strided(size_t element, void* dst, const void* src, int rank, const int64_t* shape,
                    const int64_t* strides);

}  // namespace toprope::isa::array
