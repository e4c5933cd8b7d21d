// The contiguous kernels of the reductions.
#pragma once
#include <cstddef>

#include "isa/simd/targets.h"
#include "toprope/isa/reduce.h"

namespace toprope::isa {

/// out[g] = the tree over in[g * width .. (g + 1) * width); width is a power of two, 2 … 128.
using TreeKernel = void (*)(void* out, const void* in, size_t groups, uint32_t width, bool saturate);

/// values[r], index[r] = the extreme of the r-th row of 256 bytes and the first place where it stands.
using ExtremeKernel = void (*)(void* values, uint32_t* index, const void* in, size_t rows, bool saturate);

/// value = value + in[0] + in[1] + …, rounded after each addition.
using RunningSumKernel = void (*)(void* value, const void* in, size_t n, bool saturate);

struct ReduceTable {
  TreeKernel tree[static_cast<int>(Reduce::kCount)][kDTypes] = {};
  ExtremeKernel extreme[static_cast<int>(Reduce::kCount)][kDTypes] = {};  ///< not for Sum
  RunningSumKernel running_sum[kDTypes] = {};
};

extern const DispatchedTable reduce_table;

}  // namespace toprope::isa
