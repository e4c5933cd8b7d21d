#include "toprope/lib/cumsum.h"

#include <algorithm>
#include <string>

#include "lib/composition.h"
#include "lib/place.h"
#include "lib/vec.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/reduce.h"

namespace toprope::lib {
namespace {

uint32_t round_up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

/// `count` floats from `src`, rounded to `type` where they are not wanted as they are.
void store(DType type, const Slice& dst, const Slice& src, uint32_t count) {
  if (type == DType::Float)
    Vec(count).muls(dst, src, 1.0f);
  else
    Vec(count).cast(type, dst, DType::Float, src, isa::Round::Rint);
}

void down_columns(DType type, const Slice& dst, const Slice* last, const Slice& src, const CumSumShape& s,
                  Temporary memory) {
  const uint64_t row_bytes = uint64_t{s.columns} * size_of(type);
  const Vec v(s.columns);
  Slice sum, row;
  if (type != DType::Float) {
    sum = memory.take(uint64_t{s.columns} * 4);
    row = memory.take(uint64_t{s.columns} * 4);
  }
  for (uint32_t r = 0; r < s.rows; ++r) {
    const Slice in = advance(src, r * row_bytes), out = advance(dst, r * row_bytes);
    if (type == DType::Float) {
      if (r == 0)
        v.muls(out, in, 1.0f);
      else
        v.add(out, advance(dst, (r - 1) * row_bytes), in);
      continue;
    }
    v.cast(DType::Float, r == 0 ? sum : row, type, in);
    if (r != 0) v.add(sum, sum, row);
    store(type, out, sum, s.columns);
  }
  if (last && type == DType::Float) v.muls(*last, advance(dst, (s.rows - 1) * row_bytes), 1.0f);
  if (last && type != DType::Float) store(type, *last, sum, s.columns);
}

/// Eight rows at a time, transposed: a DataBlock a column with the rows in its lanes. Brcb spreads a row over
/// the blocks, a mask of one lane a block takes it from there, and ReduceDataBlock under such a mask takes it
/// back.
class AlongRows {
 public:
  AlongRows(DType type, const CumSumShape& s, Temporary memory)
      : type_(type), shape_(s), last_(memory.take(4 * round_up(s.rows, 8))), carry_(memory.take(32)) {
    chunk_ = memory.elements(kCumSumColumnBytes, s.columns, isa::kBlockBytes / size_of(type));
    turned_ = memory.take(uint64_t{chunk_} * 32);
    spread_ = memory.take(uint64_t{chunk_} * 32);
    floats_ = memory.take(uint64_t{chunk_} * 4);
  }

  void eight_rows(const Slice& dst, const Slice& src, uint32_t first) {
    const uint32_t rows = std::min(8u, shape_.rows - first);
    for (uint32_t c = 0; c < shape_.columns; c += chunk_) {
      const uint32_t n = std::min(chunk_, shape_.columns - c);
      Vec(n * 8).fill(turned_, 0.0f);
      for (uint32_t lane = 0; lane < rows; ++lane) turn(place(src, first + lane, c), lane, n);
      const Vec block(8);
      if (c != 0) block.add(turned_, turned_, carry_);
      for (uint32_t j = 1; j < n; ++j)
        block.add(advance(turned_, 32 * j), advance(turned_, 32 * j), advance(turned_, 32 * (j - 1)));
      block.muls(carry_, advance(turned_, 32 * (n - 1)), 1.0f);
      for (uint32_t lane = 0; lane < rows; ++lane) turn_back(place(dst, first + lane, c), lane, n);
    }
    Vec(8).muls(advance(last_, 4 * first), carry_, 1.0f);
  }

  const Slice& last() const { return last_; }

 private:
  static constexpr uint32_t kMostRepeats = 255;

  Slice place(const Slice& s, uint32_t row, uint32_t column) const {
    return advance(s, (uint64_t{row} * shape_.columns + column) * size_of(type_));
  }
  static isa::VecShape lane_of_each_block(uint32_t lane, uint32_t repeats) {
    const uint64_t bits[2] = {0x0101010101010101u << lane, 0};
    return isa::VecShape::mask_bits(bits, static_cast<uint8_t>(repeats));
  }

  void turn(Slice row, uint32_t lane, uint32_t n) {
    if (type_ != DType::Float) {
      Vec(n).cast(DType::Float, floats_, type_, row);
      row = floats_;
    }
    for (uint32_t done = 0; done < n / 8; done += kMostRepeats) {
      const uint32_t repeats = std::min(kMostRepeats, n / 8 - done);
      const Slice from = advance(row, uint64_t{done} * 32), blocks = advance(spread_, uint64_t{done} * 256);
      isa::brcb(DType::Float, {blocks}, from, static_cast<uint8_t>(repeats));
      isa::vector_scalar(isa::VectorScalar::Muls, DType::Float, {advance(turned_, uint64_t{done} * 256)},
                         {blocks}, isa::scalar_of(1.0f), lane_of_each_block(lane, repeats));
    }
  }

  void turn_back(const Slice& row, uint32_t lane, uint32_t n) {
    const Slice floats = type_ == DType::Float ? row : floats_;
    for (uint32_t done = 0; done < n / 8; done += kMostRepeats) {
      const uint32_t repeats = std::min(kMostRepeats, n / 8 - done);
      isa::reduce_block(isa::Reduce::Sum, DType::Float, advance(floats, uint64_t{done} * 32),
                        advance(turned_, uint64_t{done} * 256), lane_of_each_block(lane, 1),
                        {static_cast<int32_t>(repeats), 1, 1, 8});
    }
    if (type_ != DType::Float) store(type_, row, floats, n);
  }

  DType type_;
  CumSumShape shape_;
  Slice last_, carry_, turned_, spread_, floats_;
  uint32_t chunk_ = 0;
};

}  // namespace

void cumsum(DType type, const Slice& dst, const Slice* last, const Slice& src, const CumSumShape& shape,
            const Temporary& temporary) {
  const Composition composition("CumSum", __builtin_return_address(0));
  if (uint64_t{shape.columns} * size_of(type) % isa::kBlockBytes != 0)
    composition.refuse(
        "a row of " + std::to_string(shape.columns) + " elements is not a multiple of 32 bytes",
        "pad cumSumInfo.inner to 32 bytes");
  if (!shape.along_rows) return down_columns(type, dst, last, src, shape, temporary);
  AlongRows along(type, shape, temporary);
  for (uint32_t row = 0; row < shape.rows; row += 8) along.eight_rows(dst, src, row);
  if (last) store(type, *last, along.last(), shape.rows);
}

}  // namespace toprope::lib
