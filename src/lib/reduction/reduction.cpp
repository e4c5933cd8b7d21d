#include "toprope/lib/reduction.h"

#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255;

/// values /= divisor: `block` holds a DataBlock.
void divide(const View& values, uint32_t divisor, const View& block, uint32_t count) {
  const uint32_t lanes = lanes_of(values.type);
  fill(block, divisor, lanes_of_block(values.type));
  for (uint32_t i = 0; i < count; i += lanes)
    isa::binary(Binary::Div, values.type, values[i].operand(), values[i].operand(), block.operand(0, 0),
                VecShape::mask_count(std::min(lanes, count - i), 1));
}

/// Columns: row after row into dst.
void fold_columns(Binary op, const View& dst, const View& src, const Matrix& m) {
  if (m.rows == 1) move(dst, src, m.columns);
  for (uint32_t r = 1; r < m.rows; ++r)
    apply(op, dst, r == 1 ? src : dst, src[uint64_t{r} * m.stride], m.columns);
}

/// Products of rows: halves times halves down to a DataBlock, whose 8 elements then become a DataBlock each.
void multiply_rows(const View& dst, const View& src, const Matrix& m, Temporary& memory) {
  const DType type = DType::Float;
  const uint64_t fits = memory.left() / memory::reduce(Reduction::Prod, true, 4, m, 1);
  if (fits == 0) refuse_temporary(memory::reduce(Reduction::Prod, true, 4, m, 1), memory.left());
  const uint32_t tile = static_cast<uint32_t>(std::min<uint64_t>({fits, m.rows, kMostRepeats}));
  const View wide = take(memory, type, uint64_t{tile} * 64), narrow = take(memory, type, uint64_t{tile} * 8);
  for (uint32_t r = 0; r < m.rows; r += tile) {
    const uint8_t rows = static_cast<uint8_t>(std::min(tile, m.rows - r));
    const auto halve = [&](const View& to, uint16_t to_stride, uint32_t width) {
      isa::binary(Binary::Mul, type, to.operand(1, to_stride), wide.operand(), wide[width].operand(),
                  VecShape::mask_count(width, rows));
    };
    fill(wide, 1, rows * 64u);
    const View from = src[uint64_t{r} * m.stride];
    for (uint32_t c = 0; c < m.columns; c += 64)
      for (uint8_t i = 0; i < rows; ++i)
        apply(Binary::Mul, wide[i * 64u], wide[i * 64u], from[uint64_t{i} * m.stride + c],
              std::min(64u, m.columns - c));
    halve(wide, 8, 32);
    halve(wide, 8, 16);
    halve(narrow, 1, 8);
    spread_blocks(wide, narrow, rows * 8u);
    halve(wide, 8, 32);
    halve(wide, 8, 16);
    halve(wide, 8, 8);
    sum_rows(dst[r], wide, {rows, 1, 64});
  }
}

/// uint8_t of 0 and 1, in half.
void reduce_flags(isa::Reduce op, const View& dst, const View& src, const Matrix& m, Temporary& memory) {
  const View work = take(memory, DType::Half, lanes_of(DType::Half)),
             results = take(memory, DType::Half, m.rows);
  const uint64_t fits = memory.left() / (uint64_t{m.stride} * 2);
  if (fits == 0) refuse_temporary(uint64_t{m.stride} * 2, memory.left());
  const uint32_t tile = static_cast<uint32_t>(std::min<uint64_t>(fits, m.rows));
  const View values = take(memory, DType::Half, uint64_t{tile} * m.stride);
  for (uint32_t r = 0; r < m.rows; r += tile) {
    const Rows rows{std::min(tile, m.rows - r), m.columns, m.stride};
    convert(values, src[uint64_t{r} * m.stride], rows.rows * m.stride);
    reduce_rows(op, results[r], values, work, rows);
  }
  convert(dst, results, m.rows);
}

void reduce_to_rows(Reduction what, const View& dst, const View& src, const Matrix& m, Temporary& memory) {
  const Rows rows{m.rows, m.columns, m.stride};
  switch (what) {
    case Reduction::Sum:
      return sum_rows(dst, src, rows);
    case Reduction::Mean:
      sum_rows(dst, src, rows);
      return divide(dst, m.columns, take(memory, dst.type, lanes_of_block(dst.type)), m.rows);
    case Reduction::Prod:
      return multiply_rows(dst, src, m, memory);
    default:
      break;
  }
  const isa::Reduce op =
      what == Reduction::Max || what == Reduction::Any ? isa::Reduce::Max : isa::Reduce::Min;
  if (src.type == DType::UInt8) return reduce_flags(op, dst, src, m, memory);
  reduce_rows(op, dst, src, take(memory, dst.type, lanes_of(dst.type)), rows);
}

void reduce_to_columns(Reduction what, const View& dst, const View& src, const Matrix& m, Temporary& memory) {
  if (src.type == DType::UInt8) {  // as bits, two at a time
    const Matrix pairs{m.rows, (m.columns + 1) / 2, m.stride / 2};
    return fold_columns(what == Reduction::Any ? Binary::Or : Binary::And, dst.as(DType::UInt16),
                        src.as(DType::UInt16), pairs);
  }
  constexpr Binary folds[] = {Binary::Add, Binary::Add, Binary::Max, Binary::Min,
                              Binary::Max, Binary::Min, Binary::Mul};
  fold_columns(folds[static_cast<int>(what)], dst, src, m);
  if (what == Reduction::Mean)
    divide(dst, m.rows, take(memory, dst.type, lanes_of_block(dst.type)), m.columns);
}

constexpr const char* kNames[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
                                  "ReduceAny", "ReduceAll",  "ReduceProd"};

}  // namespace

void sum(DType type, const Slice& dst, const Slice& src, const Matrix& m) {
  const Composition call("Sum", __builtin_return_address(0));
  sum_rows({dst, type}, {src, type}, {m.rows, m.columns, m.stride});
}

void mean(DType type, DType sum_type, const Slice& dst, const Slice& src, const Matrix& m, Temporary memory) {
  const Composition call("Mean", __builtin_return_address(0));
  const View out{dst, type}, in{src, type}, divisor = take(memory, sum_type, lanes_of_block(sum_type));
  if (sum_type == type) {
    sum_rows(out, in, {m.rows, m.columns, m.stride});
    return divide(out, m.columns, divisor, m.rows);
  }
  constexpr uint32_t tile = 64;
  const View sums = take(memory, sum_type, tile), row = take(memory, sum_type, m.columns);
  for (uint32_t r = 0; r < m.rows; r += tile) {
    const uint32_t rows = std::min(tile, m.rows - r);
    for (uint32_t i = 0; i < rows; ++i) {
      convert(row, in[uint64_t{r + i} * m.stride], m.columns);
      sum_rows(sums[i], row, {1, m.columns, m.columns});
    }
    divide(sums, m.columns, divisor, rows);
    convert(out[r], sums, rows);
  }
}

void reduce(Reduction what, bool rows, DType type, const Slice& dst, const Slice& src, const Matrix& m,
            Temporary memory) {
  const Composition call(kNames[static_cast<int>(what)], __builtin_return_address(0));
  (rows ? reduce_to_rows : reduce_to_columns)(what, {dst, type}, {src, type}, m, memory);
}

void reduce_xor_sum(const Slice& dst, const Slice& src0, const Slice& src1, uint32_t count,
                    Temporary memory) {
  const Composition call("ReduceXorSum", __builtin_return_address(0));
  const View total = take(memory, DType::Float, 8), part = take(memory, DType::Float, 8);
  const uint32_t tile = memory.elements(memory::kXorSumElement, count);
  const View both = take(memory, DType::Int16, tile), either = take(memory, DType::Int16, tile),
             numbers = take(memory, DType::Float, tile);
  for (uint32_t i = 0; i < count; i += tile) {
    const uint32_t n = std::min(tile, count - i);
    const View a = View{src0, DType::Int16}[i], b = View{src1, DType::Int16}[i];
    apply(Binary::And, both, a, b, n);
    apply(Unary::Not, both, both, n);
    apply(Binary::Or, either, a, b, n);
    apply(Binary::And, either, either, both, n);
    convert(numbers, either, n);
    sum_rows(i == 0 ? total : part, numbers, {1, n, static_cast<uint32_t>(round_up(n, 8))});
    if (i != 0) apply(Binary::Add, total, total, part, 1);
  }
  convert({dst, DType::Int16}, total, 1, Round::Rint);
}

}  // namespace toprope::lib
