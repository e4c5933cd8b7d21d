// The softmax family: rows of a matrix in UB, with a maximum and a sum for each row. All of it computes in
// float. Source: Ascend C API, high-level API, activation, SoftMax and LogSoftMax.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// How the values of the rows lie in memory.
struct SoftmaxShape {
  uint32_t rows, columns;  ///< a row is a multiple of 32 bytes
  uint32_t used_columns;   ///< elements of a row that count for maxima and sums
  bool nz = false;         ///< columns in strips of 16: all rows of a strip before the next strip
  bool one_value =
      false;  ///< maxima, sums and their like are one element a row, else a DataBlock of equal ones
};

/// `type` is the rows' type and that of exp_max, `statistics` that of all other values of rows.
struct SoftmaxTypes {
  DType type, statistics;
};

/// Operands; an empty slice (end 0) where there is none. sum and max may be in_sum and in_max, dst may be
/// src.
struct SoftmaxOperands {
  Slice dst = {}, sum = {}, max = {}, src = {}, exp_max = {}, in_sum = {}, in_max = {}, reduce_max = {},
        mean = {}, in_mean = {};
};

enum class SoftmaxKind : uint8_t {
  SoftMax,        ///< e^(x - max) / sum
  LogSoftMax,     ///< log10 of it
  SimpleSoftMax,  ///< the same with the given max and sum
  Flash,          ///< SoftMax over what came before too: in_max and in_sum
  FlashV2,        ///< Flash without the division
};

void softmax(SoftmaxKind kind, const SoftmaxTypes& types, const SoftmaxOperands& operands, bool update,
             const SoftmaxShape& shape, const Temporary& temporary);

/// SoftmaxFlashV3: rows are shifted by their means first. Rows have a multiple of 64 elements, at least 512.
struct SoftmaxShift {
  uint32_t loops;
  float alpha;
};
void softmax_shifted(const SoftmaxTypes& types, const SoftmaxOperands& operands, bool update,
                     const SoftmaxShift& shift, const SoftmaxShape& shape, const Temporary& temporary);

/// (grad - sum of grad · src) · src, or (front) only the sums, a DataBlock a row.
void softmax_grad(DType type, const Slice& dst, const Slice& grad, const Slice& src, bool front,
                  const SoftmaxShape& shape, const Temporary& temporary);

/// Bytes of temporary memory for `rows` rows at once of `columns` elements of `size` bytes. Rows of float are
/// computed where they go, but for NZ layout; `matrices` is how many are kept as floats otherwise.
constexpr uint64_t softmax_bytes(uint64_t rows, uint64_t columns, uint32_t matrices) {
  const uint64_t eight = (rows + 7) / 8 * 8;
  return matrices * ((rows * columns * 4 + 31) / 32 * 32) + eight * (4 * 4 + 32) + 256;
}
/// The same for softmax_shifted.
constexpr uint64_t softmax_shifted_bytes(uint64_t rows, uint64_t columns) {
  const uint64_t eight = (rows + 7) / 8 * 8;
  return rows * columns * 4 + eight * (7 * 4 + 32 + 256 + 32 + 256) + 256;
}

}  // namespace toprope::lib
