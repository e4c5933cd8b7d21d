// Short names for the instructions that compositions are made of. A View is a typed place in UB; counts are
// elements, of any number: what one instruction cannot take becomes several.
#pragma once
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/reduce.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/ternary.h"
#include "toprope/isa/unary.h"
#include "toprope/lib/temporary.h"

namespace toprope::lib {

using isa::Binary;
using isa::Round;
using isa::Unary;
using isa::VecShape;
using isa::VectorScalar;

constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

/// Elements of a type in a DataBlock, and in what one repeat covers.
constexpr uint32_t lanes_of_block(DType type) { return isa::kBlockBytes / size_of(type); }
constexpr uint32_t lanes_of(DType type) { return isa::kRepeatBytes / size_of(type); }

struct View {
  Slice at;
  DType type = DType::Float;

  View operator[](uint64_t element) const {
    View v = *this;
    v.at.at += type == DType::Int4 ? element / 2 : element * size_of(type);
    return v;
  }
  /// The same bytes as another type.
  View as(DType other) const { return {at, other}; }
  isa::VecOperand operand(uint16_t block_stride = 1, uint16_t repeat_stride = 8) const {
    return {at, block_stride, repeat_stride};
  }
};

inline View take(Temporary& from, DType type, uint64_t elements) {
  return {from.take(elements * size_of(type)), type};
}

/// A number in an element type: rounded to nearest in a floating-point one, the low bits of an integer.
inline isa::Scalar scalar(DType type, double value) {
  switch (type) {
    case DType::Half:
      return isa::scalar_of(half(static_cast<float>(value)));
    case DType::BFloat16:
      return isa::scalar_of(bfloat16(static_cast<float>(value)));
    case DType::Float:
      return isa::scalar_of(static_cast<float>(value));
    case DType::Int16:
    case DType::UInt16:
      return isa::scalar_of(static_cast<uint16_t>(static_cast<int64_t>(value)));
    default:
      return isa::scalar_of(static_cast<uint32_t>(static_cast<int64_t>(value)));
  }
}

constexpr VecShape first(uint32_t count) { return VecShape::elements(static_cast<int32_t>(count)); }

inline void apply(Binary op, const View& dst, const View& a, const View& b, uint32_t count) {
  isa::binary(op, dst.type, dst.operand(), a.operand(), b.operand(), first(count));
}
inline void apply(Unary op, const View& dst, const View& src, uint32_t count) {
  isa::unary(op, dst.type, dst.operand(), src.operand(), first(count));
}
inline void apply(VectorScalar op, const View& dst, const View& src, double value, uint32_t count) {
  isa::vector_scalar(op, dst.type, dst.operand(), src.operand(), scalar(dst.type, value), first(count));
}
inline void fill(const View& dst, double value, uint32_t count) {
  isa::duplicate(dst.type, dst.operand(), scalar(dst.type, value), first(count));
}
inline void convert(const View& dst, const View& src, uint32_t count, Round round = Round::None) {
  isa::cast(dst.type, dst.operand(), src.type, src.operand(), round, first(count));
}

/// dst = src, of the same type of 16 or 32 bits.
void move(const View& dst, const View& src, uint32_t count);

/// Rows of a matrix: `columns` of each `stride` elements take part; stride is a multiple of 32 bytes.
struct Rows {
  uint32_t rows, columns, stride;
};

/// What the second source of each() is: a DataBlock of equal values for each row, or one row for all.
enum class Spread : uint8_t { OfRow, OfColumn };

/// dst = op(src, values) for every element of the rows; dst and src have the same stride.
void each(Binary op, const View& dst, const View& src, const View& values, Spread spread, const Rows& rows);

/// dst += src * values, likewise; dst shares no bytes with them.
void each_multiply_add(const View& dst, const View& src, const View& values, Spread spread, const Rows& rows);

/// dst[r] = the sum, largest or smallest of row r: a tree in each repeat, the repeats one after the other.
/// `work` holds lanes_of(type) elements; sums do not look at it. src is not changed.
void reduce_rows(isa::Reduce op, const View& dst, const View& src, const View& work, const Rows& rows);
inline void sum_rows(const View& dst, const View& src, const Rows& rows) {
  reduce_rows(isa::Reduce::Sum, dst, src, {}, rows);
}

/// Each of `count` elements as a DataBlock of its own. Reads and writes up to the next multiple of 8.
void spread_blocks(const View& dst, const View& src, uint32_t count);
/// The same for what ends behind `count` elements; the last ones go through `spare`, a DataBlock.
void spread_blocks(const View& dst, const View& src, uint32_t count, const View& spare);

}  // namespace toprope::lib
