// The kernels of the instructions with a vector and a scalar source, one for each mode,
// instruction and element type.
#pragma once
#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/scalar.h"

namespace toprope::isa {

using VectorScalarKernel = MapKernel<void*, const void*, Scalar>;  ///< dst, src, scalar

struct VectorScalarTable {
  VectorScalarKernel at[2][static_cast<int>(VectorScalar::kCount)][kDTypes] = {};  ///< [1]: saturation mode
};

extern const DispatchedTable vector_scalar_table;

}  // namespace toprope::isa
