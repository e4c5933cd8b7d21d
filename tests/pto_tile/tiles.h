// What the tests of tiles share: tiles filled and read by rows and columns, whatever their layout.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "pto/pto-inst.hpp"
#include "support/kernel.h"

namespace toprope::test {

template <class T, int rows, int cols, pto::BLayout layout = pto::BLayout::RowMajor,
          pto::SLayout boxes = pto::SLayout::NoneBox, pto::TileType place = pto::TileType::Vec>
using DynamicTile = pto::Tile<place, T, rows, cols, layout, pto::DYNAMIC, pto::DYNAMIC, boxes>;

template <class TileData>
typename TileData::DType& at(const TileData& tile, int row, int column) {
  return tile.data()[pto::GetTileElementOffset<TileData>(row, column)];
}

/// Every element of the tile's capacity.
template <class TileData, class F>
void fill(const TileData& tile, F&& f) {
  for (int r = 0; r < TileData::Rows; ++r)
    for (int c = 0; c < TileData::Cols; ++c) at(tile, r, c) = static_cast<typename TileData::DType>(f(r, c));
}

/// f(row, column) in the valid region, `rest` everywhere else.
template <class TileData, class F>
void expect_tile(const TileData& tile, F&& f, typename TileData::DType rest, const std::string& what) {
  for (int r = 0; r < TileData::Rows; ++r)
    for (int c = 0; c < TileData::Cols; ++c) {
      const bool valid = r < tile.GetValidRow() && c < tile.GetValidCol();
      const auto want = valid ? static_cast<typename TileData::DType>(f(r, c)) : rest;
      ASSERT_TRUE(same(at(tile, r, c), want))
          << what << " at (" << r << ", " << c << "): " << static_cast<double>(at(tile, r, c))
          << ", expected " << static_cast<double>(want);
    }
}

template <class Body>
void expect_runs(Body body) {
  const LaunchStatus status = run_kernel(body);
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// The numbers that arithmetic gets wrong first.
template <class T>
std::vector<T> special() {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> numbers = {0.0f,   -0.0f,  1.0f,    -1.0f,    inf,       -inf, nan,  6e-8f,
                                -6e-8f, 1e-40f, -1e-40f, 65504.0f, -65504.0f, 3.0f, 0.1f, -2.5f};
  std::vector<T> values;
  for (float x : numbers) {
    if constexpr (std::is_integral_v<T>)
      values.push_back(x != x || std::abs(x) > 32767.0f ? std::numeric_limits<T>::max() : static_cast<T>(x));
    else
      values.push_back(T(x));
  }
  return values;
}

}  // namespace toprope::test
