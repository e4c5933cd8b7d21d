// The contiguous kernels of the two-source instructions, one for each mode, instruction and element type.
#pragma once
#include <cstddef>

#include "isa/simd/targets.h"
#include "toprope/isa/binary.h"

namespace toprope::isa {

using BinaryKernel = void (*)(void* dst, const void* src0, const void* src1, size_t n);

struct BinaryTable {
  BinaryKernel at[2][static_cast<int>(Binary::kCount)][kDTypes] = {};  ///< [1]: saturation mode
};

extern const DispatchedTable binary_table;

}  // namespace toprope::isa
