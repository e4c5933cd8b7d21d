// The kernels of the one-source instructions, one for each mode, instruction and element type.
#pragma once
#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/unary.h"

namespace toprope::isa {

using UnaryKernel = MapKernel<void*, const void*>;  ///< dst, src

struct UnaryTable {
  UnaryKernel at[2][static_cast<int>(Unary::kCount)][kDTypes] = {};  ///< [1]: saturation mode
};

extern const DispatchedTable unary_table;

}  // namespace toprope::isa
