// The contiguous kernels of the instructions with a vector and a scalar source, one for each mode,
// instruction and element type.
#pragma once
#include <cstddef>

#include "isa/simd/targets.h"
#include "toprope/isa/scalar.h"

namespace toprope::isa {

using VectorScalarKernel = void (*)(void* dst, const void* src, Scalar scalar, size_t n);

struct VectorScalarTable {
  VectorScalarKernel at[2][static_cast<int>(VectorScalar::kCount)][kDTypes] = {};  ///< [1]: saturation mode
};

extern const DispatchedTable vector_scalar_table;

}  // namespace toprope::isa
