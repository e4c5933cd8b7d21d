// The product of matrices in fractal tiles. Source: PTO ISA pages TMATMUL, TMATMUL_ACC, TMATMUL_BIAS, TGEMV.
#pragma once
#include "toprope/isa/tile.h"

namespace toprope::isa {

/// Whether the cube unit multiplies elements of type `in` into an accumulator of type `out`.
constexpr bool multiplies(DType out, DType in) {
  return out == DType::Float ? in == DType::Half || in == DType::BFloat16 || in == DType::Float
                             : out == DType::Int32 && in == DType::Int8;
}

/// acc = start + left · right over left's valid rows and columns and right's valid columns: 1 … 4095 each.
/// The start is nothing, a bias row, or another accumulator (which may be acc). For each element products are
/// added one after the other with k growing, each addition rounded once.
void tile_matmul(const Instruction& as, const Tile& acc, const Tile& left, const Tile& right);
void tile_matmul_bias(const Instruction& as, const Tile& acc, const Tile& left, const Tile& right,
                      const Tile& bias);
void tile_matmul_accumulate(const Instruction& as, const Tile& acc, const Tile& start, const Tile& left,
                            const Tile& right);

}  // namespace toprope::isa
