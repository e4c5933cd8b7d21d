// A group of rows of the softmax family while it is computed: its matrix as floats, and one float for each
// row.
#pragma once
#include <algorithm>

#include "lib/view.h"
#include "toprope/lib/softmax.h"

namespace toprope::lib {

/// What one group works with. Values of rows are floats, one a row, readable up to the next multiple of 8.
class RowGroup {
 public:
  /// Room for up to `rows` rows: `matrices` matrices and `values` values of rows.
  RowGroup(const SoftmaxShape& shape, uint32_t rows, uint32_t matrices, uint32_t values, Temporary& memory)
      : shape_(shape) {
    const uint32_t eight = static_cast<uint32_t>(round_up(rows, 8));
    for (uint32_t i = 0; i < matrices; ++i)
      matrix[i] = take(memory, DType::Float, uint64_t{rows} * shape.columns);
    for (uint32_t i = 0; i < values; ++i) value[i] = take(memory, DType::Float, eight);
    blocks_ = take(memory, DType::Float, 8 * eight);
    work_ = take(memory, DType::Float, 64);
    // Brcb reads whole eights of what may have been written in part.
    for (uint32_t i = 0; i < values; ++i) fill(value[i], 0, eight);
    fill(work_, 0, 64);
  }

  /// The rows from `first` on.
  void begin(uint32_t first, uint32_t rows) { first_ = first, rows_ = rows; }
  uint32_t rows() const { return rows_; }
  /// All elements of the group in consecutive order.
  uint32_t elements() const { return rows_ * shape_.columns; }

  /// The group's rows of `m` as consecutive floats: where they lie, or in `room`.
  View bring(const View& m, const View& room) const;
  /// Where bring() would find them; what is computed there need not be taken back.
  bool in_place(DType type) const { return type == DType::Float && !shape_.nz; }
  /// Where results of the group go that take_back() brings to `m`.
  View room_for(const View& m, const View& room) const { return in_place(m.type) ? rows_of(m) : room; }
  void take_back(const View& m, const View& room) const;

  /// dst = op over each row's used columns.
  void reduce(isa::Reduce op, const View& dst, const View& src) const {
    reduce_rows(op, dst, src, work_, {rows_, shape_.used_columns, shape_.columns});
  }
  /// dst = op(src, value of the row).
  void each_row(Binary op, const View& dst, const View& src, const View& values) const {
    spread_blocks(blocks_, values, rows_);
    each(op, dst, src, blocks_, Spread::OfRow, {rows_, shape_.columns, shape_.columns});
  }

  /// The group's values of `statistics` into dst, and back.
  void load(const View& dst, const View& statistics) const;
  void store(const View& statistics, const View& src) const;

  View matrix[2], value[7];
  const View& blocks() const { return blocks_; }
  const View& work() const { return work_; }

 private:
  View rows_of(const View& m) const { return m[uint64_t{first_} * shape_.columns]; }
  View values_of(const View& statistics) const {
    return statistics[uint64_t{first_} * (shape_.one_value ? 1 : lanes_of_block(statistics.type))];
  }
  /// Between strips of 16 columns and rows of floats.
  void strips(const View& m, const View& floats, bool back) const;

  SoftmaxShape shape_;
  uint32_t first_ = 0, rows_ = 0;
  View blocks_, work_;
};

/// How many rows fit at once. Where values of rows lie without gaps, groups start at multiples of 32 bytes.
template <class Bytes>
uint32_t group_rows(const SoftmaxShape& shape, const Temporary& memory, Bytes bytes) {
  const uint32_t least = shape.one_value ? std::min(shape.rows, 16u) : std::min(shape.rows, 1u);
  if (bytes(least) > memory.left()) refuse_temporary(bytes(least), memory.left());
  uint32_t fits = least;
  for (uint32_t step = 1u << 20; step != 0; step /= 2)
    if (fits + step <= shape.rows && bytes(fits + step) <= memory.left()) fits += step;
  return shape.one_value && fits < shape.rows ? fits / 16 * 16 : fits;
}

}  // namespace toprope::lib
