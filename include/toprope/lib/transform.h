// Rearranging tensors in UB: Transpose, TransData, Pad, UnPad, Broadcast, and the temporary memory they need.
// Source: Ascend C API, high-level API, tensor transformation.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// What Transpose does, numbered as its scenes. NZ: chunks of 16 columns, each a column of rows of 16.
enum class TransposeScene : uint8_t {
  NzToNdSwap = 1,   ///< [B, N, S, W] to [B, S, N, W]
  NzToNzSwap = 2,   ///< likewise
  NzToNzSplit = 3,  ///< [B, S, N W] to [B, N, S, W]
  NzToNdSplit = 4,
  NzToNdJoin = 5,  ///< [B, N, S, W] to [B, S, N W]
  NzToNzJoin = 6,
  Plane = 7,  ///< [H, W] to [W, H]
};

/// B, N, S and W (the width of a head); of a plane, rows and width. S, and both of a plane, are multiples of
/// 16.
struct Heads {
  uint32_t batch, heads, rows, width;
};

/// TransData's two directions between NCDHW and the formats that cut C, or C and N, into sixteens.
struct Volume {
  uint32_t n, c, d, plane;  ///< plane: H W elements, which lie padded to 32 bytes in NCDHW
  bool fractal;             ///< FRACTAL_Z_3D instead of NDC1HWC0
};

struct PadShape {
  uint32_t height, width, valid;  ///< a row's elements, and how many of them are numbers
  uint32_t left, right;           ///< columns to fill
};

namespace memory {
/// Rows of 16 columns, as many to drop what is not wanted.
constexpr uint64_t transpose(uint32_t scene, uint32_t size, uint32_t rows) {
  return scene >= 3 && scene <= 6 ? uint64_t{32} * rows * size : 32;
}
/// A square of 16 x 16, and 16 rows of a plane.
constexpr uint64_t trans_data(uint32_t plane) { return 512 + 16 * uint64_t{(plane + 15) / 16 * 32}; }
/// Offsets of a row, which ends at a multiple of 32 bytes.
constexpr uint64_t pad(uint32_t size, uint32_t width) {
  const uint64_t unit = 32 / size;
  return (width + unit - 1) / unit * unit * 4;
}
/// Rows of a column that is broadcast are done in multiples of `granule`.
constexpr uint32_t broadcast_granule(uint32_t size) { return size == 1 ? 32 : 32 / size; }
/// `tile` rows that become `width` elements each. Bytes travel as half.
constexpr uint64_t broadcast(uint32_t size, uint32_t width, uint64_t tile) {
  const uint64_t wide = size == 1 ? 2 : size, unit = 32 / wide;
  const bool whole = width % unit == 0;
  return tile * (wide + 32 + (whole && size != 1 ? 0 : (width + unit - 1) / unit * 32) +
                 (size == 1 && !whole ? 2 * uint64_t{width} : 0));
}
}  // namespace memory

void transpose(TransposeScene scene, DType type, const Slice& dst, const Slice& src, const Heads& heads,
               Temporary memory);

/// Types of 16 bits. `to_ncdhw`: from sixteens; otherwise what C and N lack to sixteens becomes 0.
void trans_data(bool to_ncdhw, const Slice& dst, const Slice& src, const Volume& volume, Temporary memory);

/// Rows of `width` elements, packed, become rows that end at multiples of 32 bytes, with `value` around.
void pad(DType type, const Slice& dst, const Slice& src, const PadShape& shape, int32_t value,
         Temporary memory);
/// Rows of `width` elements without their last `right`, packed.
void unpad(DType type, const Slice& dst, const Slice& src, uint32_t height, uint32_t width, uint32_t right);

/// A column of `rows` elements becomes `width` columns; or one row of `width` elements (a multiple of 32
/// bytes) becomes `rows` rows.
void broadcast_column(DType type, const Slice& dst, const Slice& src, uint32_t rows, uint32_t width,
                      Temporary memory);
void broadcast_row(DType type, const Slice& dst, const Slice& src, uint32_t rows, uint32_t width);

}  // namespace toprope::lib
