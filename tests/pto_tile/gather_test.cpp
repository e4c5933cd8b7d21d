// Choosing, spreading, sorting and quantising elements of tiles, against plain arithmetic.
#include <cstring>

#include "pto_tile/tiles.h"

namespace toprope::test {
namespace {

using pto::BLayout;
using pto::MaskPattern;
using pto::TileType;

TEST(TileGather, ByIndex) {
  expect_runs([] {
    DynamicTile<float, 4, 16> src(4, 16), dst(3, 5), work(1, 8);
    DynamicTile<int32_t, 4, 8> index(3, 5);
    TASSIGN(src, 0);
    TASSIGN(dst, 0x200);
    TASSIGN(index, 0x400);
    TASSIGN(work, 0x600);
    fill(src, [](int r, int c) { return r * 16 + c; });
    fill(dst, [](int, int) { return -1; });
    fill(index, [](int r, int c) { return (r * 29 + c * 13) % 64; });
    pto::TGATHER(dst, src, index, work);
    expect_tile(dst, [](int r, int c) { return (r * 29 + c * 13) % 64; }, -1, "TGATHER");
    pto::TEXPANDS(src, 0.0f);
    pto::TSCATTER(src, dst, index);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 5; ++c) {
        const int place = (r * 29 + c * 13) % 64;
        EXPECT_EQ(src.data()[place], place) << "TSCATTER";
      }
  });
}

TEST(TileGather, AnIndexOutsideTheTileIsNamed) {
  const LaunchStatus status = run_kernel([] {
    DynamicTile<float, 1, 8> src(1, 8), dst(1, 8), work(1, 8);
    DynamicTile<int32_t, 1, 8> index(1, 8);
    TASSIGN(src, 0);
    TASSIGN(dst, 0x20);
    TASSIGN(index, 0x40);
    TASSIGN(work, 0x60);
    fill(index, [](int, int c) { return c + 1; });
    pto::TGATHER(dst, src, index, work);
  });
  EXPECT_EQ(status.fault, Fault::Exception);
  EXPECT_NE(status.report.find("TGATHER: index 8 lies outside src, which has room for 8"), std::string::npos)
      << status.report;
}

TEST(TileGather, ByPattern) {
  expect_runs([] {
    DynamicTile<int16_t, 4, 32> src(4, 32), spread(4, 32);
    DynamicTile<int16_t, 4, 16> dst(4, 16);
    TASSIGN(src, 0);
    TASSIGN(spread, 0x200);
    TASSIGN(dst, 0x400);
    fill(src, [](int r, int c) { return r * 100 + c; });
    pto::TGATHER<decltype(dst), decltype(src), MaskPattern::P1010>(dst, src);
    expect_tile(dst, [](int r, int c) { return r * 100 + 2 * c + 1; }, 0, "TGATHER, the second of two");
    pto::TSCATTER<MaskPattern::P1010>(spread, dst);
    expect_tile(
        spread, [](int r, int c) { return c % 2 ? r * 100 + c : 0; }, 0, "TSCATTER, the second of two");
    DynamicTile<int16_t, 4, 32> rows(1, 32);
    TASSIGN(rows, 0x600);
    fill(rows, [](int, int) { return -1; });
    pto::TGATHER<decltype(rows), decltype(src), MaskPattern::P0100, pto::GatherAxis::GATHER_COL>(rows, src);
    expect_tile(rows, [](int, int c) { return 200 + c; }, -1, "TGATHER, the third row of four");
  });
}

TEST(TileGather, InterleavesAndUndoesIt) {
  expect_runs([] {
    DynamicTile<float, 4, 16> a(3, 16), b(3, 16), low(3, 16), high(3, 16), x(3, 16), y(3, 16);
    int place = 0;
    for (auto* t : {&a, &b, &low, &high, &x, &y}) {
      TASSIGN(*t, place);
      place += decltype(a)::GetSizeInBytes();
      fill(*t, [](int, int) { return 0; });
    }
    fill(a, [](int r, int c) { return r * 16 + c; });
    fill(b, [](int r, int c) { return -(r * 16 + c); });
    pto::TINTERLEAVE(high, low, b, a);
    expect_tile(
        low, [](int r, int c) { return (c % 2 ? -1 : 1) * (r * 16 + c / 2); }, 0, "TINTERLEAVE, first half");
    pto::TDEINTERLEAVE(y, x, high, low);
    expect_tile(x, [](int r, int c) { return r * 16 + c; }, 0, "TDEINTERLEAVE, the firsts");
    expect_tile(y, [](int r, int c) { return -(r * 16 + c); }, 0, "TDEINTERLEAVE, the seconds");
  });
}

/// Value and index of record i.
template <class TileData>
std::pair<float, uint32_t> record(const TileData& tile, int i) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(tile.data()) + i * 8;
  typename TileData::DType value;
  uint32_t index;
  std::memcpy(static_cast<void*>(&value), bytes, sizeof value);
  std::memcpy(&index, bytes + 4, sizeof index);
  return {static_cast<float>(value), index};
}

// Case F17: one output of records, descending, with indices made in the kernel.
TEST(TileSort, SortsGroupsAndMergesThem) {
  expect_runs([] {
    constexpr int n = 128;
    DynamicTile<float, 1, n> src(1, n);
    DynamicTile<uint32_t, 1, n> index(1, n);
    DynamicTile<float, 1, 2 * n> sorted(1, 2 * n), merged(1, 2 * n);
    TASSIGN(src, 0);
    TASSIGN(index, 0x200);
    TASSIGN(sorted, 0x400);
    TASSIGN(merged, 0x800);
    auto value = [](int i) { return static_cast<float>((i * 37) % 64); };  // each value twice
    fill(src, [&](int, int c) { return value(c); });
    pto::TCI<decltype(index), uint32_t, 0>(index, 0u);
    pto::TSORT32(sorted, src, index);
    for (int group = 0; group < n; group += 32)
      for (int i = group; i < group + 31; ++i)
        EXPECT_GE(record(sorted, i).first, record(sorted, i + 1).first);
    pto::TMRGSORT(merged, sorted, 64u);
    std::vector<bool> seen(n);
    for (int i = 0; i < n; ++i) {
      const auto [x, from] = record(merged, i);
      EXPECT_EQ(x, static_cast<float>(63 - i / 2));
      EXPECT_EQ(x, value(static_cast<int>(from)));
      EXPECT_FALSE(seen[from]);
      seen[from] = true;
      if (i % 2) EXPECT_LT(record(merged, i - 1).second, from) << "equal values keep their order";
    }
  });
}

TEST(TileSort, StopsWhenAListIsUsedUp) {
  expect_runs([] {
    DynamicTile<float, 1, 16> a(1, 8), b(1, 16);  // 4 and 8 records
    DynamicTile<float, 1, 24> dst(1, 24), work(1, 24);
    TASSIGN(a, 0);
    TASSIGN(b, 0x40);
    TASSIGN(dst, 0x80);
    TASSIGN(work, 0x100);
    fill(a, [](int, int c) { return c % 2 ? 0 : 100 - c * 5; });  // 100, 90, 80, 70
    fill(b, [](int, int c) { return c % 2 ? 0 : 95 - c * 4; });   // 95, 87, 79, 71, 63, …
    pto::MrgSortExecutedNumList taken;
    using List = decltype(a);
    pto::TMRGSORT<decltype(dst), decltype(work), List, List, true>(dst, taken, work, a, b);
    EXPECT_EQ(taken.mrgSortList0, 4);
    EXPECT_EQ(taken.mrgSortList1, 4);
    const float want[] = {100, 95, 90, 87, 80, 79, 71, 70};
    for (int i = 0; i < 8; ++i) EXPECT_EQ(record(dst, i).first, want[i]);
  });
}

TEST(TileQuantise, ScalesColumnsOutOfATile) {
  expect_runs([] {
    DynamicTile<float, 4, 16> src(4, 16);
    DynamicTile<int8_t, 4, 32> dst(4, 16);
    pto::Tile<TileType::Vec, uint64_t, 1, 16> scales;
    TASSIGN(src, 0);
    TASSIGN(dst, 0x200);
    TASSIGN(scales, 0x400);
    fill(src, [](int r, int c) { return r * 16 + c - 20; });
    fill(dst, [](int, int) { return 99; });
    fill(scales, [](int, int c) {  // c / 2 + 0.5, and an offset of 3
      return uint64_t{3} << 37 | __builtin_bit_cast(uint32_t, static_cast<float>(c) / 2 + 0.5f);
    });
    auto want = [](int r, int c) {
      return std::clamp(std::nearbyint((r * 16 + c - 20) * (static_cast<float>(c) / 2 + 0.5f) + 3), -128.0f,
                        127.0f);
    };
    pto::TEXTRACT_FP(dst, src, scales, 0, 0);
    expect_tile(dst, want, 99, "TEXTRACT_FP");
    constexpr auto relu = pto::ReluPreMode::NormalRelu;
    const uint64_t half_scale = __builtin_bit_cast(uint32_t, 0.5f);
    pto::TEXTRACT<decltype(dst), decltype(src), relu>(dst, src, half_scale, 0, 0);
    expect_tile(
        dst, [](int r, int c) { return std::max(0.0f, std::nearbyint((r * 16 + c - 20) * 0.5f)); }, 99,
        "TEXTRACT with a scale and an activation");
  });
}

TEST(TileQuantise, Dequantises) {
  expect_runs([] {
    DynamicTile<int8_t, 4, 32> src(3, 17);
    DynamicTile<float, 4, 32> dst(3, 17);
    pto::Tile<TileType::Vec, float, 8, 1, BLayout::ColMajor> scale, offset;
    TASSIGN(src, 0);
    TASSIGN(dst, 0x200);
    TASSIGN(scale, 0x600);
    TASSIGN(offset, 0x700);
    fill(src, [](int r, int c) { return r * 30 + c - 50; });
    fill(dst, [](int, int) { return -1; });
    fill(scale, [](int r, int) { return r + 0.25f; });
    fill(offset, [](int r, int) { return 3 - r; });
    pto::TDEQUANT(dst, src, scale, offset);
    expect_tile(
        dst,
        [](int r, int c) {
          return (static_cast<float>(r * 30 + c - 50) - static_cast<float>(3 - r)) *
                 (static_cast<float>(r) + 0.25f);
        },
        -1, "TDEQUANT");
  });
}

}  // namespace
}  // namespace toprope::test
