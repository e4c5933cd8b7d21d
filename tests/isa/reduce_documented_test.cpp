// Reductions with the values that the API pages and the cases known from the field give: the order of
// additions, where an index lies, boundary values, saturation.
#include <cmath>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::ReduceOrder;
using AscendC::ReduceType;

constexpr float kInf = HUGE_VALF;
const float kNaN = std::nanf("");

class ReduceDocumentedTest : public BothTargets {};

TEST_P(ReduceDocumentedTest, TheOrderOfAdditionsShows) {  // facts/cases A12; G10: float sums give 2064, 2176
  struct {
    int count;
    float first, want;
  } const halves[] = {{16, 2048, 2062}, {128, 2048, 2174}}, floats[] = {{64, 0x1p24f, 16777278}};
  auto sum = [&]<class T>(int count, T first) {
    std::vector<T> got, from(count, T(1));
    from[0] = first;
    run_kernel([&] {
      auto d = tensor<T>(0, std::vector<T>(16));
      auto s = tensor<T>(256, from);
      AscendC::ReduceSum(d, s, s, count);
      got = values(d);
    });
    return float(got[0]);
  };
  for (const auto& h : halves) EXPECT_EQ(sum(h.count, half(h.first)), h.want);
  for (const auto& f : floats) EXPECT_EQ(sum(f.count, f.first), f.want);
}

TEST_P(ReduceDocumentedTest, IndexLiesInTheBits) {  // facts/cases A14, ReduceMax.md
  std::vector<half> from(8320, half(0)), got[2];
  from[4097] = from[5000] = half(7);
  const auto status = run_kernel([&] {
    auto s = tensor<half>(16384, from), work = tensor<half>(4096, std::vector<half>(176));
    for (int k = 0; k < 2; ++k) {
      auto d = tensor<half>(0, std::vector<half>(16));
      if (k)
        AscendC::ReduceMax<half>(d, s, work, 128, 65, 8, true);
      else
        AscendC::ReduceMax<half>(d, s, work, 8320, true);
      got[k] = values(d);
    }
  });
  ASSERT_EQ(status.report, "");
  for (const auto& g : got) {
    EXPECT_EQ(float(g[0]), 7);
    EXPECT_EQ(g[1].bits(), 4097);
  }
}

TEST_P(ReduceDocumentedTest, RepeatStrideCountsResults) {  // facts/cases A15
  std::vector<float> from(256), got;
  for (int i = 0; i < 256; ++i) from[i] = static_cast<float>(i % 64 == 9 ? 100 + i : i % 64);
  run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(16, -1));
    AscendC::WholeReduceMax(d, tensor<float>(1024, from), 64, 4, 1, 1, 8);
    got = values(d);
  });
  for (int r = 0; r < 4; ++r) {
    EXPECT_EQ(got[2 * r], 109 + 64 * r);
    EXPECT_EQ(bits_of(got[2 * r + 1]), 9u);
  }
  EXPECT_EQ(got[8], -1);
}

TEST_P(ReduceDocumentedTest, EmptyWorkWritesNothing) {  // facts/cases A30
  std::vector<half> got;
  const auto status = run_kernel([&] {
    auto d = tensor<half>(0, std::vector<half>(128, half(5)));
    auto s = tensor<half>(512, std::vector<half>(128, half(1)));
    AscendC::ReduceSum(d, s, s, 0);
    AscendC::ReduceMax(d, s, s, 0, true);
    AscendC::ReduceRepeat<ReduceType::SUM>(d, s, 128, 0, 1, 1, 8);
    AscendC::ReduceRepeat<ReduceType::MAX>(d, s, 0, 4, 1, 1, 8);
    AscendC::ReduceDataBlock<ReduceType::SUM>(d, s, 128, 0, 1, 1, 8);
    got = values(d);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(got, std::vector<half>(128, half(5)));
}

/// The boundary value tables of the reductions: rows of 128 half elements, in both modes of the unit.
TEST_P(ReduceDocumentedTest, BoundaryValues) {
  struct Row {
    const char* name;
    std::vector<float> cycle;  // repeated over the elements; or one odd element before ones
    bool ones;
    float max[2], min[2], sum[2];
  };
  const Row rows[] = {
      {"MIN", {-65504}, false, {-65504, -65504}, {-65504, -65504}, {-kInf, -65504}},
      {"MAX", {65504}, false, {65504, 65504}, {65504, 65504}, {kInf, 65504}},
      {"0", {0.0f}, false, {0, 0}, {0, 0}, {0, 0}},
      {"-0", {-0.0f}, false, {-0.0f, -0.0f}, {-0.0f, -0.0f}, {-0.0f, -0.0f}},
      {"nan", {kNaN}, false, {kNaN, 0}, {kNaN, 0}, {kNaN, 0}},
      {"inf", {kInf}, false, {kInf, 65504}, {kInf, 65504}, {kInf, 65504}},
      {"-inf", {-kInf}, false, {-kInf, -65504}, {-kInf, -65504}, {-kInf, -65504}},
      {"inf, -inf", {kInf, -kInf}, false, {kInf, 65504}, {-kInf, -65504}, {kNaN, 0}},
      {"inf, nan", {kInf, kNaN}, false, {kNaN, 0}, {kNaN, 0}, {kNaN, 0}},
      {"-inf, nan", {-kInf, kNaN}, false, {kNaN, 0}, {kNaN, 0}, {kNaN, 0}},
      {"ones and inf", {kInf}, true, {kInf, 65504}, {1, 1}, {kInf, 65504}},
      {"ones and -inf", {-kInf}, true, {1, 1}, {-kInf, -65504}, {-kInf, -65376}},
      {"ones and nan", {kNaN}, true, {kNaN, 0}, {kNaN, 0}, {kNaN, 126}},
  };
  for (const Row& row : rows)
    for (int mode = 0; mode < 2; ++mode) {
      std::vector<half> from(128), got;
      for (size_t i = 0; i < 128; ++i)
        from[i] = half(row.ones ? (i == 0 ? row.cycle[0] : 1) : row.cycle[i % row.cycle.size()]);
      run_kernel([&] {
        toprope::core().saturate = mode == 1;
        auto d = tensor<half>(0, std::vector<half>(16));
        auto s = tensor<half>(512, from);
        AscendC::ReduceRepeat<ReduceType::MAX>(d, s, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        AscendC::ReduceRepeat<ReduceType::MIN>(d[1], s, 128, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
        AscendC::ReduceRepeat<ReduceType::SUM>(d[2], s, 128, 1, 1, 1, 8);
        got = values(d);
      });
      EXPECT_TRUE(same(got[0], half(row.max[mode]))) << row.name << " max " << mode << " " << float(got[0]);
      EXPECT_TRUE(same(got[1], half(row.min[mode]))) << row.name << " min " << mode << " " << float(got[1]);
      EXPECT_TRUE(same(got[2], half(row.sum[mode]))) << row.name << " sum " << mode << " " << float(got[2]);
    }
  // ReduceSum, 256 elements in saturation mode: what precedes 1.0 is lost with the NaN that it meets.
  auto sum = [&](std::vector<float> start) {
    std::vector<half> from(256, half(1)), got;
    for (size_t i = 0; i < start.size(); ++i) from[i] = half(start[i]);
    run_kernel([&] {
      toprope::core().saturate = true;
      auto d = tensor<half>(0, std::vector<half>(16));
      auto s = tensor<half>(512, from);
      AscendC::ReduceSum(d, s, s, 256);
      got = values(d);
    });
    return float(got[0]);
  };
  EXPECT_EQ(sum({kInf, -kInf, kNaN}), 252);
  EXPECT_EQ(sum({kInf, -kInf}), 254);
  EXPECT_EQ(sum({kInf, kNaN}), 254);
  EXPECT_EQ(sum({kInf}), 65504);
  EXPECT_EQ(sum({-kInf}), -65248);
  EXPECT_EQ(sum({kNaN}), 254);
}

TEST_P(ReduceDocumentedTest, BlocksSaturateStepByStep) {  // ReduceDataBlock.md, figure 2
  std::vector<half> from(128, half(0)), got;
  const float start[] = {60000, 60000, -30000, 100};
  for (int i = 0; i < 4; ++i) from[i] = half(start[i]);
  run_kernel([&] {
    toprope::core().saturate = true;
    auto d = tensor<half>(0, std::vector<half>(16));
    AscendC::BlockReduceSum(d, tensor<half>(512, from), 1, 128, 1, 1, 8);
    got = values(d);
  });
  // The figure's 65504 - 29900 = 35604 before rounding: half holds 29904, and the difference 35600 is a tie
  // of 32s.
  EXPECT_EQ(float(got[0]), 35584);
}

TEST_P(ReduceDocumentedTest,
       AQuantisationScaleOfAnEmptyRow) {  // facts/cases A27: no guard gives inf and NaN, no trap
  std::vector<half> from(4 * 64, half(2)), scaled;
  std::fill(from.begin() + 64, from.begin() + 128, half(0));
  std::vector<float> scales;
  const auto status = run_kernel([&] {
    auto x = tensor<half>(0, from), magnitude = tensor<half>(1024, std::vector<half>(64));
    auto most = tensor<half>(2048, std::vector<half>(16)),
         limit = tensor<half>(2112, std::vector<half>(16, half(127)));
    auto scale = tensor<half>(2176, std::vector<half>(16));
    for (int row = 0; row < 4; ++row) {
      AscendC::Abs(magnitude, x[row * 64], 64);
      AscendC::ReduceMax(most, magnitude, magnitude, 64);
      AscendC::Div(scale, limit, most, 1);
      scales.push_back(float(scale.GetValue(0)));
      AscendC::Muls(x[row * 64], x[row * 64], scale.GetValue(0), 64);
    }
    scaled = values(x);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(scales, (std::vector<float>{63.5f, kInf, 63.5f, 63.5f}));
  for (int i = 0; i < 256; ++i)
    EXPECT_TRUE(same(scaled[i], i / 64 == 1 ? half(kNaN) : half(127))) << i << " " << float(scaled[i]);
}

INSTANTIATE_TEST_SUITE_P(Simd, ReduceDocumentedTest, ::testing::Bool(), target_of);

}  // namespace
