// Reductions of the high-level API over an axis of a matrix in UB, and the temporary memory they need.
// Source: Ascend C API, high-level API, reductions.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

enum class Reduction : uint8_t { Sum, Mean, Max, Min, Any, All, Prod };

/// `rows` rows of `columns` elements, `stride` from start to start (a multiple of 32 bytes).
struct Matrix {
  uint32_t rows, columns, stride;
};

namespace memory {
/// A mean that adds up in float what is half; 32 bytes otherwise.
constexpr uint64_t mean(uint32_t size, uint32_t sum_size, uint32_t columns) {
  return size < sum_size ? 32 + 256 + (uint64_t{columns} + 7) / 8 * 32 : 32;
}
/// `tile` rows at once.
constexpr uint64_t reduce(Reduction what, bool rows, uint32_t size, const Matrix& m, uint32_t tile) {
  if (!rows) return 32;
  if (what == Reduction::Prod) return uint64_t{tile} * (256 + 32);
  return 256 + (size == 1 ? (uint64_t{m.rows} + 15) / 16 * 32 + uint64_t{tile} * m.stride * 2 : 0);
}
constexpr uint32_t kXorSumElement = 8, kXorSumRest = 64;
}  // namespace memory

/// dst[r] = the sum of row r, in `type` (half or float).
void sum(DType type, const Slice& dst, const Slice& src, const Matrix& m);

/// dst[r] = the mean of row r, added up and divided in `sum_type`.
void mean(DType type, DType sum_type, const Slice& dst, const Slice& src, const Matrix& m, Temporary memory);

/// The rows (`rows`: a result a row) or columns of a matrix. Any and All take float or uint8_t of 0 and 1;
/// the rest float, Max and Min half too.
void reduce(Reduction what, bool rows, DType type, const Slice& dst, const Slice& src, const Matrix& m,
            Temporary memory);

/// dst[0] = the sum of src0 ^ src1, clamped to int16_t.
void reduce_xor_sum(const Slice& dst, const Slice& src0, const Slice& src1, uint32_t count, Temporary memory);

}  // namespace toprope::lib
