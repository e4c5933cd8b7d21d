// Conversions that scale, dequantise or compute on the way: SetDeqScale, CastDequant, AddReluCast,
// SubReluCast.
#include <cmath>
#include <random>

#include "support/exact.h"
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::RoundMode;

class CastDequantTest : public BothTargets {};

TEST_P(CastDequantTest, Int32ToHalfIsScaled) {
  std::vector<int32_t> from = {0,        89, -89,  65504, -65504, INT32_MAX, INT32_MIN,
                               16777217, 3,  2049, 4099,  65519,  65520};
  for (float scale : {1.0f, 0.0999755859375f, 0.5f, -2.0f, 0x1p-14f, 65504.0f}) {
    std::vector<half> got;
    run_kernel([&] {
      AscendC::SetDeqScale(half(scale));
      auto d = tensor<half>(0, std::vector<half>(from.size()));
      AscendC::Cast(d, tensor<int32_t>(256, from), RoundMode::CAST_NONE, static_cast<uint32_t>(from.size()));
      got = values(d);
    });
    for (size_t i = 0; i < from.size(); ++i)
      EXPECT_EQ(got[i].bits(), half_bits_of(to_half(static_cast<long double>(from[i]) * scale)))
          << from[i] << " * " << scale;
  }
}

TEST_P(CastDequantTest,
       DequantisesIntoHalfBlocks) {  // CastDequant's example: results in the upper half of each DataBlock
  std::vector<int16_t> from(256);
  std::mt19937 random(1);
  for (auto& x : from) x = static_cast<int16_t>(random());
  std::vector<int8_t> upper;
  std::vector<uint8_t> vector;
  const auto status = run_kernel([&] {
    AscendC::SetDeqScale(0.25f, static_cast<int16_t>(-3), true);
    auto d = tensor<int8_t>(0, std::vector<int8_t>(512, 9));
    auto s = tensor<int16_t>(1024, from);
    AscendC::CastDequant<int8_t, int16_t, false, true>(d, s, 250);
    upper = values(d);
    float scale[16];
    int16_t offset[16];
    bool sign[16] = {};
    for (int i = 0; i < 16; ++i)
      scale[i] = 0.125f * static_cast<float>(i), offset[i] = static_cast<int16_t>(i * 16);
    AscendC::SetDeqScale<uint64_t>(tensor<uint64_t>(2048, std::vector<uint64_t>(16)),
                                   AscendC::VdeqInfo(scale, offset, sign));
    auto u = tensor<uint8_t>(4096, std::vector<uint8_t>(512, 9));
    AscendC::CastDequant<uint8_t, int16_t, true, true, false>(u, s, 128, 2, {1, 1, 8, 8});
    vector = values(u);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 256; ++i) {
    const long double plain = to_integer(from[i] * 0.25L - 3, RoundMode::CAST_RINT);
    const int low = i / 16 * 32 + i % 16, high = low + 16, lane = i % 16;
    EXPECT_EQ(upper[high], i < 250 ? static_cast<int>(std::min(127.0L, std::max(-128.0L, plain))) : 9) << i;
    EXPECT_EQ(upper[low], 9);
    const int offset = lane * 16 >= 256 ? lane * 16 - 512 : lane * 16;
    const long double each = to_integer(from[i] * (0.125L * lane) + offset, RoundMode::CAST_RINT);
    EXPECT_EQ(vector[low], static_cast<int>(std::min(255.0L, std::max(0.0L, each)))) << i;
    EXPECT_EQ(vector[high], 9);
  }
  auto sign = run_kernel([&] {
    AscendC::SetDeqScale(1.0f, static_cast<int16_t>(0), false);
    AscendC::CastDequant<int8_t, int16_t, false, true>(tensor<int8_t>(0, std::vector<int8_t>(32)),
                                                       tensor<int16_t>(64, std::vector<int16_t>(16)), 16);
  });
  EXPECT_NE(sign.report.find("dst is int8_t, but SetDeqScale's signMode is false"), std::string::npos)
      << sign.report;
}

TEST_P(CastDequantTest, ReluCasts) {  // AddReluCast and SubReluCast: examples and boundary values
  std::vector<int8_t> added, small;
  std::vector<half> subtracted;
  const half inf = half::from_bits(0x7c00), nan = half::from_bits(0x7e00);
  run_kernel([&] {
    auto d = tensor<int8_t>(0, std::vector<int8_t>(8));
    AscendC::AddReluCast(
        d, tensor<half>(64, {half(1), half(1), half(3), half(512), inf, nan, half(65504), half(0.5)}),
        tensor<half>(
            128, {half(0), half(.5), half(-4), half(-513), half(-1), half(1), half(65504), half(0x1p-12)}),
        8);
    added = values(d);
    auto h = tensor<half>(192, std::vector<half>(6));
    AscendC::SubReluCast(h, tensor<float>(256, {1, 2, 3, 3.4e38f, std::nanf(""), 2051}),
                         tensor<float>(320, {0, 0.5f, 4, -3.4e38f, 0, 0}), 6);
    subtracted = values(h);
    auto s = tensor<int8_t>(384, std::vector<int8_t>(3));
    AscendC::AddReluCast(s, tensor<int16_t>(448, {32767, -32768, 5}),
                         tensor<int16_t>(512, {32767, -32768, 6}), 3);
    small = values(s);
  });
  EXPECT_EQ(added, (std::vector<int8_t>{1, 2, 0, 0, 127, 0, 127, 0}));
  EXPECT_EQ(small, (std::vector<int8_t>{127, 0, 11}));
  const float want[] = {1, 1.5f, 0, HUGE_VALF, 0, 2052};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(float(subtracted[i]), want[i]) << i;
}

INSTANTIATE_TEST_SUITE_P(Simd, CastDequantTest, ::testing::Bool(), target_of);

}  // namespace
