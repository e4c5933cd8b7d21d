// The kernels of the two-source instructions, one for each mode, instruction and element type.
#pragma once
#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/binary.h"

namespace toprope::isa {

using BinaryKernel = MapKernel<void*, const void*, const void*>;  ///< dst, src0, src1

struct BinaryTable {
  BinaryKernel at[2][static_cast<int>(Binary::kCount)][kDTypes] = {};  ///< [1]: saturation mode
};

extern const DispatchedTable binary_table;

}  // namespace toprope::isa
