// Running sums over the rows or along the rows of a matrix.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

struct CumSumShape {
  uint32_t rows, columns;  ///< a row is a multiple of 32 bytes
  bool along_rows;         ///< sums along each row instead of down each column
};

/// Along rows, each column takes two DataBlocks and a float of temporary memory.
inline constexpr uint32_t kCumSumColumnBytes = 68;

/// Bytes of temporary memory for elements of `size` bytes: at least, and as much as is used.
constexpr uint32_t cumsum_least_bytes(const CumSumShape& s, uint32_t size) {
  const uint32_t rows = (s.rows + 7) / 8 * 8;
  return s.along_rows ? 4 * rows + 32 + 32 / size * kCumSumColumnBytes : size == 2 ? 2 * 4 * s.columns : 32;
}
constexpr uint32_t cumsum_most_bytes(const CumSumShape& s, uint32_t size) {
  return cumsum_least_bytes(s, size) + (s.along_rows ? s.columns * kCumSumColumnBytes : 0);
}

/// half adds in float and rounds each result. `last` gets the sums of all rows (or of all columns); null for
/// none.
void cumsum(DType type, const Slice& dst, const Slice* last, const Slice& src, const CumSumShape& shape,
            const Temporary& temporary);

}  // namespace toprope::lib
