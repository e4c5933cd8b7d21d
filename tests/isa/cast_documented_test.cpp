// Conversions with the values that the API pages and the cases known from the field give.
#include <cmath>

#include "support/exact.h"
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::RoundMode;

class CastDocumentedTest : public BothTargets {};

template <class To, class From>
std::vector<To> cast_of(const std::vector<From>& from, RoundMode mode) {
  std::vector<To> got;
  const auto status = run_kernel([&] {
    auto d = tensor<To>(0, std::vector<To>(from.size()));
    AscendC::Cast(d, tensor<From>(4096, from), mode, static_cast<uint32_t>(from.size()));
    got = values(d);
  });
  EXPECT_EQ(status.report, "");
  return got;
}

TEST_P(CastDocumentedTest,
       DocumentedExamples) {  // precision_conversion.md; facts/cases A07, A08, A10, A26, A29
  using enum RoundMode;
  const std::vector<half> ties = {half(-4.5), half(-3.5), half(-2.5), half(-1.5), half(-.5),
                                  half(.5),   half(1.5),  half(2.5),  half(3.5),  half(4.5)};
  EXPECT_EQ((cast_of<int32_t>(ties, CAST_RINT)), (std::vector<int32_t>{-4, -4, -2, -2, 0, 0, 2, 2, 4, 4}));
  EXPECT_EQ((cast_of<int32_t>(ties, CAST_ROUND)), (std::vector<int32_t>{-5, -4, -3, -2, -1, 1, 2, 3, 4, 5}));
  struct {
    RoundMode mode;
    int32_t big;       // float 2^22 + 0.5
    int32_t negative;  // half -1.5
    float to_half;     // float 0.5 + 2^-12
    int16_t from_int;  // int16_t 2^12 + 2 to half
    float int32;       // int32_t 2^25 + 3 to float, less 2^25
    float int64;       // int64_t 2^35 + 2^12 + 2^11 to float, less 2^35
    float bf16;        // float 0.5 + 2^-9 + 2^-11 to bfloat16_t
  } const rows[] = {{CAST_RINT, 4194304, -2, 0.5f, 4096, 4, 8192, 0.5f + 0x1p-8f},
                    {CAST_FLOOR, 4194304, -2, 0.5f, 4096, 0, 4096, 0.5f},
                    {CAST_CEIL, 4194305, -1, 0.5f + 0x1p-11f, 4100, 4, 8192, 0.5f + 0x1p-8f},
                    {CAST_ROUND, 4194305, -2, 0.5f + 0x1p-11f, 4100, 4, 8192, 0.5f + 0x1p-8f},
                    {CAST_TRUNC, 4194304, -1, 0.5f, 4096, 0, 4096, 0.5f}};
  for (const auto& r : rows) {
    EXPECT_EQ((cast_of<int32_t>(std::vector<float>{4194304.5f}, r.mode))[0], r.big);
    EXPECT_EQ((cast_of<int64_t>(std::vector<float>{4194304.5f}, r.mode))[0], r.big);
    EXPECT_EQ((cast_of<int16_t>(std::vector<float>{4194304.5f}, r.mode))[0], 32767);
    EXPECT_EQ((cast_of<int32_t>(std::vector<half>{half(-1.5)}, r.mode))[0], r.negative);
    EXPECT_EQ(float((cast_of<half>(std::vector<float>{0.5f + 0x1p-12f}, r.mode))[0]), r.to_half);
    EXPECT_EQ(float((cast_of<half>(std::vector<int16_t>{4098}, r.mode))[0]), r.from_int);
    EXPECT_EQ((cast_of<float>(std::vector<int32_t>{33554435}, r.mode))[0] - 33554432.0f, r.int32);
    EXPECT_EQ((cast_of<float>(std::vector<int64_t>{34359744512}, r.mode))[0] - 0x1p35f, r.int64);
    EXPECT_EQ(float((cast_of<bfloat16_t>(std::vector<float>{0.5f + 0x1p-9f + 0x1p-11f}, r.mode))[0]), r.bf16);
    EXPECT_EQ((cast_of<int8_t>(std::vector<half>{half(127.5)}, r.mode))[0], 127);
  }
  EXPECT_EQ(float((cast_of<half>(std::vector<float>{0.5f + 0x1p-12f}, CAST_ODD))[0]), 0.5f + 0x1p-11f);
  const std::vector<float> odd = {1 + 0x1p-12f, 2049, 2051};
  EXPECT_EQ((cast_of<half>(odd, CAST_ODD)), (std::vector<half>{half(1.0009765625), half(2050), half(2050)}));
  EXPECT_EQ((cast_of<half>(odd, CAST_RINT)), (std::vector<half>{half(1), half(2048), half(2052)}));
  EXPECT_EQ((cast_of<half>(odd, CAST_NONE)), (std::vector<half>{half(1), half(2048), half(2052)}));
  EXPECT_EQ((cast_of<int8_t>(std::vector<half>{half::from_bits(0x7c00), half(510), half(-200), half(127.5)},
                             CAST_RINT)),
            (std::vector<int8_t>{127, 127, -128, 127}));
  EXPECT_EQ((cast_of<int16_t>(std::vector<int32_t>{INT32_MAX}, CAST_NONE))[0], 32767);
  EXPECT_EQ((cast_of<int32_t>(std::vector<int64_t>{int64_t{1} << 31}, CAST_NONE))[0], INT32_MAX);
  EXPECT_EQ((cast_of<int32_t>(std::vector<float>{0.49999997f}, CAST_RINT))[0], 0);
  EXPECT_EQ((cast_of<int32_t>(std::vector<float>{0.49999997f + 0.5f}, CAST_FLOOR))[0], 1);
  const auto brain =
      cast_of<bfloat16_t>(cast_of<float>(std::vector<int32_t>{259, 33000, -259}, CAST_RINT), CAST_RINT);
  EXPECT_EQ(float(brain[0]), 260);
  EXPECT_EQ(float(brain[1]), 33024);
  EXPECT_EQ(float(brain[2]), -260);
}

TEST_P(CastDocumentedTest,
       SaturationMode) {  // boundary values, Cast: only half and bfloat16_t results differ
  std::vector<half> halves;
  std::vector<bfloat16_t> brains;
  std::vector<float> kept;
  const std::vector<float> special = {HUGE_VALF, -HUGE_VALF, std::nanf(""), 1e6f, -1e6f, 3.4028235e38f, 1.0f};
  run_kernel([&] {
    toprope::core().saturate = true;
    auto h = tensor<half>(0, std::vector<half>(7));
    auto b = tensor<bfloat16_t>(64, std::vector<bfloat16_t>(7));
    auto f = tensor<float>(128, std::vector<float>(7));
    auto src = tensor<float>(256, special);
    AscendC::Cast(h, src, RoundMode::CAST_FLOOR, 7);
    AscendC::Cast(b, src, RoundMode::CAST_RINT, 7);
    AscendC::Cast(f, src, RoundMode::CAST_RINT, 7);
    halves = values(h), brains = values(b), kept = values(f);
  });
  const float most = 3.3895314e38f;
  const float want_half[] = {65504, -65504, 0, 65504, -65504, 65504, 1};
  const float want_brain[] = {most, -most, 0, 999424, -999424, most, 1};
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(float(halves[i]), want_half[i]) << i;
    EXPECT_EQ(float(brains[i]), want_brain[i]) << i;
    EXPECT_TRUE(same(kept[i], special[i])) << i;
  }
}

TEST_P(CastDocumentedTest, Int4PacksTwoInAByte) {
  std::vector<int8_t> packed;
  std::vector<half> back;
  std::vector<half> from;
  for (int i = 0; i < 34; ++i) from.push_back(half((i - 17) * 0.75));
  const auto status = run_kernel([&] {
    auto bytes = tensor<int8_t>(0, std::vector<int8_t>(32, 0x55));
    auto four = bytes.ReinterpretCast<AscendC::int4b_t>();
    EXPECT_EQ(four.GetSize(), 64u);
    AscendC::Cast(four, tensor<half>(256, from), RoundMode::CAST_RINT, 34);
    auto h = tensor<half>(512, std::vector<half>(34));
    AscendC::Cast(h, four, RoundMode::CAST_NONE, 34);
    packed = values(bytes), back = values(h);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 34; ++i) {
    const long double whole = to_integer((i - 17) * 0.75L, RoundMode::CAST_RINT);
    const int want = static_cast<int>(std::min(7.0L, std::max(-8.0L, whole)));
    EXPECT_EQ((packed[i / 2] >> (i % 2 * 4)) & 15, want & 15) << i;
    EXPECT_EQ(float(back[i]), want) << i;
  }
  EXPECT_EQ(packed[17], 0x55);
  auto odd = run_kernel([&] {
    auto four = tensor<int8_t>(0, std::vector<int8_t>(32)).ReinterpretCast<AscendC::int4b_t>();
    AscendC::Cast(four, tensor<half>(256, from), RoundMode::CAST_RINT, 33);
  });
  EXPECT_NE(odd.report.find("the number of elements (33) is odd"), std::string::npos) << odd.report;
  auto split = run_kernel([&] {
    auto four = tensor<int8_t>(0, std::vector<int8_t>(64)).ReinterpretCast<AscendC::int4b_t>();
    uint64_t mask[2] = {0b1011, 0};
    AscendC::Cast(four, tensor<half>(256, std::vector<half>(128)), RoundMode::CAST_RINT, mask, 1,
                  {1, 1, 2, 8});
  });
  EXPECT_NE(split.report.find("the mask separates elements 2 and 3"), std::string::npos) << split.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, CastDocumentedTest, ::testing::Bool(), target_of);

}  // namespace
