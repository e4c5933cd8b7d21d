// Tiles between memories and layouts: every element lands in its place, and nothing else changes.
#include "pto_tile/tiles.h"

namespace toprope::test {
namespace {

using pto::BLayout;
using pto::SLayout;
using pto::TileType;

template <class T>
T code(int r, int c) {
  return static_cast<T>(r * 100 + c);
}

/// From a matrix in global memory into a tile and back, rows x columns of it.
template <class TileData>
void round_trip(int rows, int columns) {
  using T = typename TileData::DType;
  std::vector<T> from(static_cast<size_t>(TileData::Rows) * TileData::Cols), to(from.size(), T(-1));
  for (int r = 0; r < TileData::Rows; ++r)
    for (int c = 0; c < TileData::Cols; ++c)
      from[static_cast<size_t>(r * TileData::Cols + c)] = code<T>(r, c);
  using Global = pto::GlobalTensor<T, pto::Shape<1, 1, 1, -1, -1>, pto::Stride<1, 1, 1, -1, 1>>;
  expect_runs([&] {
    TileData tile(static_cast<size_t>(rows), static_cast<size_t>(columns));
    TASSIGN(tile, 0x400);
    fill(tile, [](int, int) { return T(-7); });
    Global in(from.data(), pto::Shape<1, 1, 1, -1, -1>(rows, columns),
              pto::Stride<1, 1, 1, -1, 1>(TileData::Cols));
    Global out(to.data(), pto::Shape<1, 1, 1, -1, -1>(rows, columns),
               pto::Stride<1, 1, 1, -1, 1>(TileData::Cols));
    TLOAD(tile, in);
    expect_tile(tile, code<T>, T(-7), "TLOAD");
    TSTORE(out, tile);
  });
  for (int r = 0; r < TileData::Rows; ++r)
    for (int c = 0; c < TileData::Cols; ++c)
      EXPECT_EQ(to[static_cast<size_t>(r * TileData::Cols + c)],
                r < rows && c < columns ? code<T>(r, c) : T(-1))
          << r << ", " << c;
}

TEST(TileLayout, LoadsAndStoresValidRegionsOfEveryLayout) {
  round_trip<DynamicTile<float, 16, 32>>(16, 32);
  round_trip<DynamicTile<float, 16, 32>>(15, 9);
  round_trip<DynamicTile<int16_t, 32, 16, BLayout::ColMajor>>(31, 15);
  round_trip<DynamicTile<int16_t, 32, 48, BLayout::ColMajor, SLayout::RowMajor>>(29, 33);
  round_trip<DynamicTile<int32_t, 32, 48, BLayout::RowMajor, SLayout::ColMajor>>(17, 48);
  round_trip<DynamicTile<int32_t, 32, 48, BLayout::RowMajor, SLayout::RowMajor>>(17, 47);
}

TEST(TileLayout, MovesBetweenLayoutsAndTransposes) {
  expect_runs([] {
    DynamicTile<int16_t, 32, 48> rows(31, 47);
    DynamicTile<int16_t, 32, 48, BLayout::ColMajor, SLayout::RowMajor> boxes(31, 47);
    DynamicTile<int16_t, 48, 32> turned(47, 31);
    TASSIGN(rows, 0);
    TASSIGN(boxes, 0x2000);
    TASSIGN(turned, 0x4000);
    fill(rows, code<int16_t>);
    fill(boxes, [](int, int) { return -1; });
    fill(turned, [](int, int) { return -1; });
    pto::TMOV(boxes, rows);
    expect_tile(boxes, code<int16_t>, -1, "TMOV");
    EXPECT_EQ(boxes.data()[32 * 16 + 5 * 16 + 3], code<int16_t>(5, 19))
        << "column of boxes, row of the box, element";
    pto::TTRANS(turned, rows, boxes);
    expect_tile(turned, [](int r, int c) { return code<int16_t>(c, r); }, -1, "TTRANS");
  });
}

TEST(TileLayout, ExtractsAndInsertsParts) {
  expect_runs([] {
    DynamicTile<float, 16, 32> whole(16, 32);
    DynamicTile<float, 8, 16> part(5, 7);
    TASSIGN(whole, 0);
    TASSIGN(part, 0x1000);
    fill(whole, code<float>);
    fill(part, [](int, int) { return -1; });
    pto::TEXTRACT(part, whole, 3, 9);
    expect_tile(part, [](int r, int c) { return code<float>(r + 3, c + 9); }, -1, "TEXTRACT");
    fill(part, [](int, int) { return -2; });
    pto::TINSERT(whole, part, 11, 25);
    expect_tile(
        whole, [](int r, int c) { return r >= 11 && c >= 25 ? -2.0f : code<float>(r, c); }, 0, "TINSERT");
  });
}

// Cases F01 and F03: tiles at one address share bytes, and a load into one row leaves the others.
TEST(TileLayout, TilesAtOneAddressShareBytes) {
  const std::vector<float> ones(32, 1.0f), twos(32, 2.0f);
  using Global = pto::GlobalTensor<const float, pto::Shape<1, 1, 1, 1, 32>, pto::Stride<32, 32, 32, 32, 1>>;
  expect_runs([&] {
    pto::Tile<TileType::Mat, float, 2, 32> both;
    pto::Tile<TileType::Mat, float, 1, 32> first, second;
    TASSIGN(both, 0);
    TASSIGN(first, 0);
    TASSIGN(second, 128);
    Global one(ones.data()), two(twos.data());
    TLOAD(first, one);
    TLOAD(second, two);
    expect_tile(both, [](int r, int) { return r + 1; }, 0, "two rows of one tile");
  });
}

TEST(TileLayout, FillsWhatIsNotValidWithThePadValue) {
  using Padded = pto::Tile<TileType::Vec, float, 4, 16, BLayout::RowMajor, 4, 16, SLayout::NoneBox, 512,
                           pto::PadValue::Min>;
  expect_runs([] {
    DynamicTile<float, 4, 16> src(3, 5);
    Padded dst;
    TASSIGN(src, 0);
    TASSIGN(dst, 0x200);
    fill(src, code<float>);
    pto::TFILLPAD(dst, src);
    expect_tile(
        dst,
        [](int r, int c) {
          return r < 3 && c < 5 ? code<float>(r, c) : -std::numeric_limits<float>::infinity();
        },
        0, "TFILLPAD");
  });
}

// Case F10: a full tile at the end of UB has nothing to pad.
TEST(TileLayout, PadsNothingBeyondAFullTileAtTheEndOfUb) {
  using Full = pto::Tile<TileType::Vec, half, 1, 1024, BLayout::RowMajor, 1, 1024, SLayout::NoneBox, 512,
                         pto::PadValue::Max>;
  expect_runs([] {
    Full tile;
    TASSIGN(tile, 192 * 1024 - Full::GetSizeInBytes());
    fill(tile, [](int, int c) { return c; });
    pto::TFILLPAD_INPLACE(tile, tile);
    expect_tile(tile, [](int, int c) { return c; }, half(0), "TFILLPAD_INPLACE");
  });
}

TEST(TileLayout, ATileBeyondItsMemoryIsNamed) {
  const LaunchStatus status = run_kernel([] {
    pto::Tile<TileType::Vec, float, 64, 64> a, b;
    TASSIGN(a, 0);
    TASSIGN(b, 192 * 1024 - 8192);
    pto::TADD(b, a, a);
  });
  EXPECT_EQ(status.fault, Fault::Exception);
  EXPECT_NE(status.report.find("TADD: dst at byte 188416 ends 8192 bytes past the end of UB"),
            std::string::npos)
      << status.report;
}

// Case F02.
TEST(TileLayout, ATileWithoutAPlaceIsNamed) {
  const LaunchStatus status = run_kernel([] {
    pto::Tile<TileType::Vec, float, 8, 8> a, b;
    TASSIGN(a, 0);
    pto::TADD(a, a, b);
  });
  EXPECT_EQ(status.fault, Fault::Exception);
  EXPECT_NE(status.report.find("src1 has no place in a memory"), std::string::npos) << status.report;
}

TEST(TileLayout, ASourceSmallerThanTheDestinationIsNamed) {
  const LaunchStatus status = run_kernel([] {
    DynamicTile<float, 8, 8> dst(8, 8), src(8, 7);
    TASSIGN(dst, 0);
    TASSIGN(src, 0x200);
    pto::TABS(dst, src);
  });
  EXPECT_NE(status.report.find("TABS: src has 8 x 7 valid elements, dst 8 x 8"), std::string::npos)
      << status.report;
}

// Case F09.
TEST(TileLayout, NoValidRowsDoNothing) {
  expect_runs([] {
    DynamicTile<float, 8, 8> dst(0, 0), src(8, 8);
    TASSIGN(dst, 0);
    TASSIGN(src, 0x200);
    fill(dst, [](int, int) { return 5; });
    pto::TEXP(dst, src);
    expect_tile(dst, [](int, int) { return 0; }, 5, "TEXP of nothing");
    pto::Tile<TileType::Vec, float, 8, 8, BLayout::RowMajor, 0, 0> none;
    TASSIGN(none, 0);
    pto::TEXP(none, src);
    expect_tile(dst, [](int, int) { return 0; }, 5, "TEXP of nothing, known when compiled");
  });
}

}  // namespace
}  // namespace toprope::test
