// Instructions that only tiles have, against plain arithmetic.
#include "pto_tile/tiles.h"

namespace toprope::test {
namespace {

using pto::BLayout;
using pto::SLayout;
using pto::TileType;

TEST(TileOperations, ExpandRowsAndColumns) {
  expect_runs([] {
    DynamicTile<float, 8, 32> dst(7, 29), src(7, 29), row(1, 29);
    DynamicTile<float, 8, 1, BLayout::ColMajor> column(7, 1);
    DynamicTile<float, 8, 8> blocks(7, 8);
    TASSIGN(dst, 0);
    TASSIGN(src, 0x1000);
    TASSIGN(row, 0x2000);
    TASSIGN(column, 0x3000);
    TASSIGN(blocks, 0x4000);
    fill(dst, [](int, int) { return -1; });
    fill(src, [](int r, int c) { return r * 40 + c; });
    fill(row, [](int, int c) { return c * c; });
    fill(column, [](int r, int) { return r + 0.5f; });
    fill(blocks, [](int r, int c) { return r * 10 + c; });
    pto::TCOLEXPANDADD(dst, src, row);
    expect_tile(dst, [](int r, int c) { return r * 40 + c + c * c; }, -1, "TCOLEXPANDADD");
    pto::TROWEXPANDSUB(dst, src, column);
    expect_tile(dst, [](int r, int c) { return r * 40 + c - (r + 0.5f); }, -1, "TROWEXPANDSUB");
    pto::TROWEXPANDMAX(dst, src, blocks);
    expect_tile(
        dst, [](int r, int c) { return std::max(r * 40 + c, r * 10 + c % 8); }, -1,
        "TROWEXPANDMAX with blocks");
    pto::TROWEXPAND(dst, column);
    expect_tile(dst, [](int r, int) { return r + 0.5f; }, -1, "TROWEXPAND");
    pto::TCOLEXPAND(dst, row);
    expect_tile(dst, [](int, int c) { return c * c; }, -1, "TCOLEXPAND");
    pto::TEXPANDS(dst, 4.0f);
    expect_tile(dst, [](int, int) { return 4; }, -1, "TEXPANDS");
  });
}

TEST(TileOperations, ReduceRowsAndColumns) {
  expect_runs([] {
    DynamicTile<int32_t, 8, 32> src(7, 29), tmp(7, 29);
    DynamicTile<int32_t, 8, 8> rows(7, 1);
    DynamicTile<int32_t, 1, 32> columns(1, 29);
    TASSIGN(src, 0);
    TASSIGN(tmp, 0x1000);
    TASSIGN(rows, 0x2000);
    TASSIGN(columns, 0x3000);
    auto value = [](int r, int c) { return (r * 31 + c * 17) % 23 - 11; };
    fill(src, value);
    auto over_row = [&](int r, int start, auto join) {
      for (int c = 0; c < 29; ++c) start = join(start, value(r, c));
      return start;
    };
    auto over_column = [&](int c, int start, auto join) {
      for (int r = 0; r < 7; ++r) start = join(start, value(r, c));
      return start;
    };
    auto sum = [](int a, int b) { return a + b; };
    auto most = [](int a, int b) { return std::max(a, b); };
    fill(rows, [](int, int) { return 99; });
    fill(columns, [](int, int) { return 99; });
    pto::TROWSUM(rows, src, tmp);
    expect_tile(rows, [&](int r, int) { return over_row(r, 0, sum); }, 99, "TROWSUM");
    pto::TROWMAX(rows, src, tmp);
    expect_tile(rows, [&](int r, int) { return over_row(r, -100, most); }, 99, "TROWMAX");
    pto::TCOLSUM(columns, src);
    expect_tile(columns, [&](int, int c) { return over_column(c, 0, sum); }, 99, "TCOLSUM");
    pto::TCOLMAX(columns, src);
    expect_tile(columns, [&](int, int c) { return over_column(c, -100, most); }, 99, "TCOLMAX");
    pto::TROWARGMAX(rows, src, tmp);
    expect_tile(
        rows,
        [&](int r, int) {
          const int best = over_row(r, -100, most);
          int c = 0;
          while (value(r, c) != best) ++c;
          return c;
        },
        99, "TROWARGMAX");
  });
}

TEST(TileOperations, CompareAndSelectByBits) {
  expect_runs([] {
    DynamicTile<float, 4, 64> a(3, 37), b(3, 37), dst(3, 37);
    DynamicTile<uint8_t, 4, 32> mask(3, 5);
    TASSIGN(a, 0);
    TASSIGN(b, 0x1000);
    TASSIGN(dst, 0x2000);
    TASSIGN(mask, 0x3000);
    fill(a, [](int r, int c) { return (r + c * 3) % 7; });
    fill(b, [](int r, int c) { return c == 11 ? std::nanf("") : (r * 2 + c) % 7; });
    fill(mask, [](int, int) { return 0xee; });
    auto less = [](int r, int c) { return c != 11 && (r + c * 3) % 7 < (r * 2 + c) % 7; };
    pto::TCMP(mask, a, b, pto::CmpMode::LT);
    expect_tile(
        mask,
        [&](int r, int byte) {
          int bits = 0;
          for (int i = 0; i < 8; ++i) bits |= (byte * 8 + i < 37 && less(r, byte * 8 + i)) << i;
          return bits;
        },
        0xee, "TCMP");
    fill(dst, [](int, int) { return -1; });
    pto::TSEL(dst, mask, a, b, a);
    expect_tile(dst, [&](int r, int c) { return less(r, c) ? at(a, r, c) : at(b, r, c); }, -1, "TSEL");
    pto::TSELS(dst, mask, a, b, 50.0f);
    expect_tile(dst, [&](int r, int c) { return less(r, c) ? at(a, r, c) : 50.0f; }, -1, "TSELS");
  });
}

// Case F06: the rounding mode counts.
TEST(TileOperations, ConvertInEveryRoundingMode) {
  expect_runs([] {
    DynamicTile<float, 1, 8> src(1, 7);
    DynamicTile<int32_t, 1, 8> dst(1, 7);
    TASSIGN(src, 0);
    TASSIGN(dst, 0x100);
    const float values[] = {0.5f, 1.5f, -0.5f, -1.5f, 2.25f, -2.75f, 3e9f, 0};
    fill(src, [&](int, int c) { return values[c]; });
    const int most = std::numeric_limits<int32_t>::max();
    const std::pair<pto::RoundMode, std::vector<int>> modes[] = {
        {pto::RoundMode::CAST_RINT, {0, 2, 0, -2, 2, -3, most}},
        {pto::RoundMode::CAST_FLOOR, {0, 1, -1, -2, 2, -3, most}},
        {pto::RoundMode::CAST_CEIL, {1, 2, 0, -1, 3, -2, most}},
        {pto::RoundMode::CAST_ROUND, {1, 2, -1, -2, 2, -3, most}},
        {pto::RoundMode::CAST_TRUNC, {0, 1, 0, -1, 2, -2, most}}};
    for (const auto& [mode, want] : modes) {
      fill(dst, [](int, int) { return 99; });
      pto::TCVT(dst, src, mode);
      expect_tile(
          dst, [&, &want = want](int, int c) { return want[static_cast<size_t>(c)]; }, 99,
          "TCVT in mode " + std::to_string(int(mode)));
    }
  });
}

TEST(TileOperations, CountAndDrawTriangles) {
  expect_runs([] {
    DynamicTile<int32_t, 4, 8> dst(3, 7);
    TASSIGN(dst, 0);
    fill(dst, [](int, int) { return -1; });
    pto::TCI<decltype(dst), int32_t, 0>(dst, 10);
    expect_tile(dst, [](int r, int c) { return 10 + r * 7 + c; }, -1, "TCI");
    pto::TCI<decltype(dst), int32_t, 1>(dst, 10);
    expect_tile(dst, [](int r, int c) { return 10 - r * 7 - c; }, -1, "TCI, descending");
    pto::TTRI<decltype(dst), 0>(dst, 1);
    expect_tile(dst, [](int r, int c) { return c <= r + 1; }, -1, "TTRI, lower");
    pto::TTRI<decltype(dst), 1>(dst, -1);
    expect_tile(dst, [](int r, int c) { return c >= r - 1; }, -1, "TTRI, upper");
  });
}

template <class In, class Out, int m, int k, int n>
void multiply(int valid_m, int valid_k, int valid_n) {
  expect_runs([=] {
    pto::TileLeft<In, m, k, -1, -1> left(valid_m, valid_k);
    pto::TileRight<In, k, n, -1, -1> right(valid_k, valid_n);
    pto::TileAcc<Out, m, n, -1, -1> acc(valid_m, valid_n);
    pto::Tile<TileType::Bias, Out, 1, n, BLayout::RowMajor, 1, -1> bias(valid_n);
    TASSIGN(left, 0);
    TASSIGN(right, 0);
    TASSIGN(acc, 0);
    TASSIGN(bias, 0);
    auto a = [](int r, int c) { return (r * 7 + c * 3) % 11 - 5; };
    auto b = [](int r, int c) { return (r * 5 + c * 13) % 9 - 4; };
    fill(left, a);
    fill(right, b);
    fill(acc, [](int, int) { return -99; });
    fill(bias, [](int, int c) { return c - 20; });
    auto product = [&](int r, int c) {
      int sum = 0;
      for (int i = 0; i < valid_k; ++i) sum += a(r, i) * b(i, c);
      return sum;
    };
    pto::TMATMUL(acc, left, right);
    expect_tile(acc, product, -99, "TMATMUL");
    pto::TMATMUL_ACC(acc, acc, left, right);
    expect_tile(acc, [&](int r, int c) { return 2 * product(r, c); }, -99, "TMATMUL_ACC");
    pto::TMATMUL_BIAS(acc, left, right, bias);
    expect_tile(acc, [&](int r, int c) { return product(r, c) + c - 20; }, -99, "TMATMUL_BIAS");
  });
}

TEST(TileOperations, MultiplyMatricesOfEveryTypeAndTail) {
  multiply<half, float, 32, 48, 64>(32, 48, 64);
  multiply<half, float, 32, 48, 64>(17, 33, 47);
  multiply<bfloat16_t, float, 16, 16, 16>(1, 1, 1);
  multiply<float, float, 16, 40, 32>(15, 39, 31);
  multiply<int8_t, int32_t, 32, 64, 32>(31, 63, 29);
}

// A float sum that depends on its order: products are added with k growing, each addition rounded once.
TEST(TileOperations, MultiplyAddsWithKGrowing) {
  expect_runs([] {
    pto::TileLeft<float, 16, 8> left;
    pto::TileRight<float, 8, 16> right;
    pto::TileAcc<float, 16, 16> acc;
    TASSIGN(left, 0);
    TASSIGN(right, 0);
    TASSIGN(acc, 0);
    const float terms[] = {0x1p24f, 1, 1, -0x1p24f, 0, 0, 0, 0};
    fill(left, [&](int, int c) { return terms[c]; });
    fill(right, [](int, int) { return 1; });
    pto::TMATMUL(acc, left, right);
    expect_tile(acc, [](int, int) { return 0; }, 0, "2^24 + 1 + 1 - 2^24 in float");
  });
}

TEST(TileOperations, PartsOutsideOneSourceComeFromTheOther) {
  expect_runs([] {
    DynamicTile<float, 4, 16> dst(4, 13), whole(4, 13), part(2, 9);
    TASSIGN(dst, 0);
    TASSIGN(whole, 0x400);
    TASSIGN(part, 0x800);
    fill(dst, [](int, int) { return -1; });
    fill(whole, [](int r, int c) { return r * 20 + c; });
    fill(part, [](int r, int c) { return 1000 + r * 20 + c; });
    pto::TPARTADD(dst, part, whole);
    expect_tile(
        dst, [](int r, int c) { return r < 2 && c < 9 ? 1000 + 2 * (r * 20 + c) : r * 20 + c; }, -1,
        "TPARTADD");
  });
}

}  // namespace
}  // namespace toprope::test
