// Instructions on tiles: 2-D regions of a local memory. They walk the operation that the vector instructions
// do over the valid rows and columns. Source of the rules: PTO Tile Lib, tile programming model and
// instruction pages.
#pragma once
#include "toprope/isa/array.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/operand.h"
#include "toprope/isa/ternary.h"
#include "toprope/machine/instruction.h"

namespace toprope::isa {

/// What a tile's type says: capacity and how elements lie in it. A boxed tile is made of boxes (fractals) of
/// box_rows x box_cols consecutive elements; `col_major` orders boxes (or, unboxed, elements) column by
/// column, `box_col_major` the elements of a box.
struct TileShape {
  DType type;
  Mem mem;
  bool col_major;
  bool box_col_major;
  uint16_t box_rows, box_cols;  ///< 0, 0: not boxed
  uint32_t rows, cols;
  constexpr bool boxed() const { return box_rows != 0; }
};

/// A tile operand: its host address and the rows and columns that mean something, from the first on.
struct Tile {
  const TileShape* shape;
  void* data;
  uint32_t valid_rows, valid_cols;
};

/// How a second source is laid over the first.
enum class Spread : uint8_t {
  None,  ///< an element for each element
  Rows,  ///< one value a row: column 0, or a row whose elements are the values; in a 32-byte row each row's
         ///< first
  Columns,  ///< row 0 for every row
};

/// dst = op(src), op(src0, src1) over dst's valid region. The type must be in types_of(op).
void tile_unary(const Instruction& as, array::Unary op, const Tile& dst, const Tile& src);
void tile_binary(const Instruction& as, array::Binary op, const Tile& dst, const Tile& src0, const Tile& src1,
                 Spread spread = Spread::None);

/// dst = op(src, scalar), or op(scalar, src) with `scalar_first`. `scalar` is of dst's type.
void tile_scalar(const Instruction& as, array::Binary op, const Tile& dst, const Tile& src, Scalar scalar,
                 bool scalar_first = false);

/// dst = second(first(src0, src1), src2); rounded in between.
void tile_chain(const Instruction& as, array::Binary first, array::Binary second, const Tile& dst,
                const Tile& src0, const Tile& src1, const Tile& src2);
/// The same with a scalar instead of src1.
void tile_chain_scalar(const Instruction& as, array::Binary first, array::Binary second, const Tile& dst,
                       const Tile& src0, Scalar scalar, const Tile& src2);

/// dst = exp(src0 - src1).
void tile_exp_difference(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                         Spread spread);

/// dst = op(dst, src0, src1); takes(op, dst, src) must hold. tile_axpy: dst + scalar * src.
void tile_ternary(const Instruction& as, Ternary op, const Tile& dst, const Tile& src0, const Tile& src1);
void tile_axpy(const Instruction& as, const Tile& dst, const Tile& src, Scalar scalar);

/// Every valid element = scalar.
void tile_fill(const Instruction& as, const Tile& dst, Scalar scalar);
/// start, start ± 1, …, row by row without a gap.
void tile_iota(const Instruction& as, const Tile& dst, Scalar start, bool descending);
/// Every row or column of dst is that of src: Columns repeats row 0, Rows repeats each row's value.
void tile_expand(const Instruction& as, const Tile& dst, const Tile& src, Spread spread);
/// Ones on and below (or above) the diagonal, zeroes elsewhere.
void tile_triangle(const Instruction& as, const Tile& dst, int32_t diagonal, bool upper);

/// dst[r] = op over row r, or dst[c] = op over column c. A row's sum is the ReduceSum of the vector
/// instructions, a tree over each 256 bytes whose results are added one after the other; columns are joined
/// row after row.
void tile_reduce_rows(const Instruction& as, array::Reduce op, const Tile& dst, const Tile& src);
/// `tree`: the lower half of the rows onto the upper one until one is left.
void tile_reduce_columns(const Instruction& as, array::Reduce op, const Tile& dst, const Tile& src,
                         bool tree);
/// The index of the first largest (or least) element of each row or column, and with `values` the element.
void tile_arg_rows(const Instruction& as, bool largest, const Tile* values, const Tile& index,
                   const Tile& src);
void tile_arg_columns(const Instruction& as, bool largest, const Tile* values, const Tile& index,
                      const Tile& src);
/// dst[r][c] = src[r][2c] + src[r][2c + 1]; dst's remaining columns are 0.
void tile_reduce_pairs(const Instruction& as, const Tile& dst, const Tile& src);

/// A bit an element, the lowest first; unused bits of a row's last byte are 0. Where the valid columns of a
/// tile of bits hold exactly a row's bits, each row's start with the tile's row; otherwise rows follow each
/// other byte by byte.
void tile_compare(const Instruction& as, Compare op, const Tile& dst, const Tile& src0, const Tile& src1);
void tile_compare_scalar(const Instruction& as, Compare op, const Tile& dst, const Tile& src, Scalar scalar);
/// dst = bit ? src0 : src1.
void tile_select(const Instruction& as, const Tile& dst, const Tile& bits, const Tile& src0,
                 const Tile& src1);
void tile_select_scalar(const Instruction& as, const Tile& dst, const Tile& bits, const Tile& src0,
                        Scalar scalar);

/// dst = src in another element type, any pair but int4b_t: integers clamp, NaN becomes 0; float to float
/// rounds to an integral value. dst may not overlap src.
void tile_cast(const Instruction& as, const Tile& dst, const Tile& src, Round round);

/// src0 op src1 where both are valid, the one that is valid elsewhere.
void tile_part(const Instruction& as, array::Binary op, const Tile& dst, const Tile& src0, const Tile& src1);

}  // namespace toprope::isa
