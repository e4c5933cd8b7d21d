// The contiguous kernels of comparisons and selections.
#pragma once
#include <cstddef>

#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/compare.h"

namespace toprope::isa {

/// bits, src0, src1: n bits, n a multiple of 8. src1 is as long as src0, or one value. Of an Apart the
/// destination's part has no meaning: the bits lie in a row.
using CompareKernel = MapKernel<uint8_t*, const void*, const void*>;

/// n elements by the bits at `bits`, the lowest of the first byte first. src1 is as long as src0, or one
/// value.
using SelectKernel = MapKernel<void*, const uint8_t*, const void*, const void*>;  ///< dst, bits, src0, src1

struct CompareTable {
  CompareKernel at[2][static_cast<int>(Compare::kCount)][kDTypes] =
      {};                          ///< [src1 is one value][…][element type]
  SelectKernel select[2][2] = {};  ///< [src1 is one value][4 bytes instead of 2]
};

extern const DispatchedTable compare_table;

}  // namespace toprope::isa
