// The kernels of the operations on arrays.
#pragma once
#include "isa/array/elementwise.h"
#include "isa/simd/targets.h"

namespace toprope::isa::array {

struct BinaryKernels {
  BinaryFunction at[kSpreads][static_cast<int>(Binary::kCount)][kDTypes] = {};
};

struct UnaryKernels {
  UnaryFunction at[static_cast<int>(Unary::kCount)][kDTypes] = {};
};

struct CompareKernels {
  BinaryFunction at[kSpreads][static_cast<int>(Compare::kCount)][kDTypes] = {};
  SelectFunction select[kSpreads][4] = {};  ///< [log2 of the element's bytes]
};

extern const DispatchedTable array_binary_table, array_unary_table, array_compare_table;

}  // namespace toprope::isa::array
