// What normalisation functions have in common: everything in float, a tile of rows at a time.
#pragma once
#include "lib/view.h"
#include "toprope/lib/normalization.h"

namespace toprope::lib {

/// The most rows (1 … rows) whose temporary memory `bytes(rows)` is there; refused when not even one row's
/// is.
template <class Bytes>
uint32_t rows_at_once(const Temporary& memory, uint32_t rows, Bytes bytes) {
  if (bytes(1) > memory.left()) refuse_temporary(bytes(1), memory.left());
  return memory::largest_tile(memory.left(), rows, bytes);
}

/// Room for a tile of rows, or for a DataBlock for each of them.
inline View take_scratch(Temporary& memory, uint32_t tile, uint32_t width) {
  return {memory.take(memory::tile_or_blocks(tile, width)), DType::Float};
}

/// `scratch` is what take_scratch() gave, `per_row` has an element a row and is readable up to the next
/// multiple of 8; the rows' statistics also go to `results`.
struct Statistics {
  View scratch, per_row, results;
};

/// a = x - the mean of each row's first `valid` elements; a may be x.
void centre(const View& a, const View& x, const Statistics& s, const Rows& rows, uint32_t valid);

/// a /= sqrt(variance + epsilon), where a is centred.
void spread_of_squares(const View& a, const Statistics& s, const Rows& rows, uint32_t valid, float epsilon);

/// a = x / sqrt(per_row + epsilon); per_row and scratch lose their values.
void divide_by_root(const View& a, const View& x, const View& per_row, const View& scratch, float epsilon,
                    const Rows& rows);

/// dst = 1 / sqrt(src + epsilon); ones: room for 8 elements.
void inverse_root(const View& dst, const View& src, float epsilon, const View& ones, uint32_t count);

}  // namespace toprope::lib
