// Where a tile's elements lie in its memory. Source: PTO Tile Lib, tile layouts.
#pragma once
#include "pto/common/pto_tile.hpp"

namespace pto {

/// Where element (row, column) of a tile lies, in elements from data().
template <class TileData>
constexpr size_t GetTileElementOffset(int row, int column) {
  constexpr auto s = TileData::shape;
  if constexpr (!TileData::isBoxedLayout) {
    return TileData::isRowMajor ? size_t(row) * s.cols + column : size_t(column) * s.rows + row;
  } else {
    const size_t box_row = size_t(row) / s.box_rows, box_column = size_t(column) / s.box_cols;
    const size_t box = TileData::isRowMajor ? box_row * (s.cols / s.box_cols) + box_column
                                            : box_column * (s.rows / s.box_rows) + box_row;
    const size_t r = row % s.box_rows, c = column % s.box_cols;
    return box * s.box_rows * s.box_cols +
           (TileData::isInnerRowMajor ? r * s.box_cols + c : c * s.box_rows + r);
  }
}
template <class TileData>
constexpr size_t GetTileOffset(int row, int column) {
  return GetTileElementOffset<TileData>(row, column);
}

}  // namespace pto
