#include "lib/normalization/steps.h"

namespace toprope::lib {
namespace {

/// The means of the rows of `x`, into per_row and results.
void means_of(const View& x, const Statistics& s, const Rows& rows, uint32_t valid) {
  apply(VectorScalar::Muls, s.scratch, x, 1.0f / static_cast<float>(valid), rows.rows * rows.stride);
  const Rows counted{rows.rows, valid, rows.stride};
  sum_rows(s.per_row, s.scratch, counted);
  sum_rows(s.results, s.scratch, counted);
}

}  // namespace

void centre(const View& a, const View& x, const Statistics& s, const Rows& rows, uint32_t valid) {
  means_of(x, s, rows, valid);
  spread_blocks(s.scratch, s.per_row, rows.rows);
  each(Binary::Sub, a, x, s.scratch, Spread::OfRow, rows);
}

void spread_of_squares(const View& a, const Statistics& s, const Rows& rows, uint32_t valid, float epsilon) {
  apply(Binary::Mul, s.scratch, a, a, rows.rows * rows.stride);
  means_of(s.scratch, s, rows, valid);
  divide_by_root(a, a, s.per_row, s.scratch, epsilon, rows);
}

void divide_by_root(const View& a, const View& x, const View& per_row, const View& scratch, float epsilon,
                    const Rows& rows) {
  apply(VectorScalar::Adds, per_row, per_row, epsilon, rows.rows);
  apply(Unary::Sqrt, per_row, per_row, rows.rows);
  spread_blocks(scratch, per_row, rows.rows);
  each(Binary::Div, a, x, scratch, Spread::OfRow, rows);
}

void inverse_root(const View& dst, const View& src, float epsilon, const View& ones, uint32_t count) {
  apply(VectorScalar::Adds, dst, src, epsilon, count);
  apply(Unary::Sqrt, dst, dst, count);
  fill(ones, 1, 8);
  const uint32_t lanes = lanes_of(DType::Float);
  for (uint32_t i = 0; i < count; i += lanes) {
    const uint32_t here = count - i < lanes ? count - i : lanes;
    isa::binary(Binary::Div, DType::Float, dst[i].operand(), ones.operand(0, 0), dst[i].operand(),
                VecShape::mask_count(here, 1));
  }
}

}  // namespace toprope::lib
