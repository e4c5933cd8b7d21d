// Moving tiles: between global memory and local memories, between layouts, and out of an accumulator.
// Source of the rules: PTO ISA pages TLOAD, TSTORE, TMOV, TEXTRACT, TINSERT, TTRANS, TCONCAT, TFILLPAD.
#pragma once
#include <array>

#include "toprope/isa/tile.h"

namespace toprope::isa {

/// How the five dimensions of a tensor in global memory become a tile's rows and columns.
enum class TensorOrder : uint8_t {
  Rows,     ///< 0 … 3 count rows, 4 columns
  Columns,  ///< 3 counts rows, 0, 1, 2 and 4 columns
  Boxes  ///< 2 and 3 count rows, 0, 1 and 4 columns: a matrix of boxes, column of boxes after column of boxes
};

/// A tensor in global memory: five extents, five steps in elements, and its elements' size.
struct Tensor {
  void* data;
  std::array<int64_t, 5> shape;
  std::array<int64_t, 5> stride;
  TensorOrder order;
  DType type;
  uint32_t element() const { return size_of(type); }
};

/// What fills a tile's rows behind the valid columns up to a multiple of 32 bytes; nothing when not `given`.
struct TilePadding {
  bool given;
  Scalar value;
};

/// What happens to elements on their way out of an accumulator: scaled by one parameter or by one for each
/// column (down the columns: each row), negative ones cut off, and converted to nearest even. A parameter is
/// a word of the fixpipe's: bits of a float scale (of a vector's words the upper 19 count), a shift for
/// int16_t, a 9-bit offset for 8-bit results.
struct Drain {
  bool relu = false;
  bool scaled = false;  ///< by `scalar`
  uint64_t scalar = 0;
  const Tile* vector = nullptr;
};

/// dst's valid region from the tensor. A Rows tensor pads.
void tile_load(const Instruction& as, const Tile& dst, const Tensor& src, const TilePadding& padding);

/// src's valid region to the tensor, combined with what is there where `atomic` has a type. Elements keep
/// their bits, unless they come from an accumulator or a Drain changes them.
void tile_store(const Instruction& as, const Tensor& dst, const Tile& src, const StoreAtomic& atomic,
                const Drain& drain = {});

/// dst's valid region from src, from (row, column) of src on, between any layouts; another element type
/// converts. tile_insert: src's valid region to dst, from (row, column) of dst on.
void tile_extract(const Instruction& as, const Tile& dst, const Tile& src, uint32_t row, uint32_t column,
                  const Drain& drain = {});
void tile_insert(const Instruction& as, const Tile& dst, const Tile& src, uint32_t row, uint32_t column,
                 const Drain& drain = {});

/// dst[c][r] = src[r][c] for src's valid region.
void tile_transpose(const Instruction& as, const Tile& dst, const Tile& src);

/// Each row of src0 and then of src1.
void tile_concatenate(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1);
/// The same, each row as long as the first column of its index tile says, in bytes; with `lengths` the sum of
/// the two.
void tile_concatenate_indexed(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                              const Tile& index0, const Tile& index1, const Tile* lengths);

/// src's valid region, and the value in the rest of dst's rows x columns.
void tile_fill_pad(const Instruction& as, const Tile& dst, const Tile& src, uint32_t rows, uint32_t columns,
                   Scalar value);

}  // namespace toprope::isa
