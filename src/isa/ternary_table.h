// The contiguous kernels of the instructions that read their destination, one for each mode, instruction and
// pair of element types.
#pragma once
#include <cstddef>

#include "isa/simd/targets.h"
#include "toprope/isa/ternary.h"

namespace toprope::isa {

using TernaryKernel = void (*)(void* dst, const void* src0, const void* src1, size_t n);
using AxpyKernel = void (*)(void* dst, const void* src, Scalar scalar, size_t n);

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
