// The kernels of the instructions that read their destination, one for each mode, instruction and
// pair of element types.
#pragma once
#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/ternary.h"

namespace toprope::isa {

using TernaryKernel = MapKernel<void*, const void*, const void*>;  ///< dst, src0, src1
using AxpyKernel = MapKernel<void*, const void*, Scalar>;          ///< dst, src, scalar

/// Destination and source types an instruction may have.
enum class TypePair : uint8_t { Half, Float, FloatOfHalf };
constexpr TypePair pair_of(DType to, DType from) {
  return to == DType::Half ? TypePair::Half : from == DType::Float ? TypePair::Float : TypePair::FloatOfHalf;
}

struct TernaryTable {
  TernaryKernel at[2][static_cast<int>(Ternary::kCount)][3] = {};  ///< [1]: saturation mode
  AxpyKernel axpy[2][3] = {};
};

extern const DispatchedTable ternary_table;

}  // namespace toprope::isa
