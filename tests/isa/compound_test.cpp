// MulCast and AddDeqRelu against exact arithmetic, rounded where the instructions do.
#include <algorithm>
#include <cmath>
#include <random>

#include "support/kernel.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;

class CompoundTest : public BothTargets {};

template <class T>
T byte_of(double product, bool saturate) {
  const half kept = saturate ? saturated(half_of(product)) : half_of(product);
  const double v = float(kept);
  if (std::isnan(v)) return 0;
  return static_cast<T>(
      std::nearbyint(std::clamp<double>(v, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));
}

template <class T>
void check_mul_cast() {
  auto a = samples<half>(2048, 1), b = samples<half>(2048, 2);
  for (size_t i = 144; i < a.size(); ++i) {  // products around the range of T, many of them ties
    a[i] = half(static_cast<float>(static_cast<int>(i % 61) - 30) * 0.5f);
    b[i] = half(static_cast<float>(i / 61) * 0.5f);
  }
  const std::vector<T> before(2048, T{77});
  for (const bool saturate : {false, true})
    for (const uint32_t count : {0u, 1u, 31u, 129u, 2048u}) {
      std::vector<T> got, want = before;
      for (uint32_t i = 0; i < count; ++i) want[i] = byte_of<T>(double(float(a[i])) * float(b[i]), saturate);
      const auto status = run_kernel([&] {
        toprope::core().saturate = saturate;
        auto d = tensor<T>(0, before);
        AscendC::MulCast(d, tensor<half>(8192, a), tensor<half>(16384, b), count);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, want, "count " + std::to_string(count));
    }
  // Repeats of 128 elements: half of the destination's DataBlocks.
  std::vector<T> bits, lanes, want_bits = before, want_lanes = before;
  const uint64_t mask[2] = {0x9e3779b97f4a7c15ull, 0xf0f0f0f0f0f0f0f0ull};
  for (uint32_t i = 0; i < 512; ++i) {
    const T v = byte_of<T>(double(float(a[i])) * float(b[i]), false);
    if (mask[i % 128 / 64] >> (i % 64) & 1) want_bits[i] = v;
    if (i % 128 < 100) want_lanes[i] = v;
  }
  run_kernel([&] {
    auto d = tensor<T>(0, before), e = tensor<T>(2048, before);
    auto x = tensor<half>(8192, a), y = tensor<half>(16384, b);
    AscendC::MulCast(d, x, y, mask, 4, {1, 1, 1, 4, 8, 8});
    AscendC::MulCast(e, x, y, uint64_t{100}, 4, {1, 1, 1, 4, 8, 8});
    bits = values(d), lanes = values(e);
  });
  expect_same(bits, want_bits, "bits");
  expect_same(lanes, want_lanes, "lanes");
}

TEST_P(CompoundTest, MulCast) {
  check_mul_cast<int8_t>();
  check_mul_cast<uint8_t>();
}

/// The exact product of a 32-bit and an 11-bit number fits into double.
half deq_relu_of(int64_t a, int64_t b, half scale, bool saturate) {
  const double product = static_cast<double>(whole<int32_t>(a + b, saturate)) * float(scale);
  const half v = saturate ? saturated(half_of(product)) : half_of(product);
  return half_of(relu_of(float(v)));
}

TEST_P(CompoundTest, AddDeqRelu) {
  auto a = samples<int32_t>(2048, 1), b = samples<int32_t>(2048, 2);
  for (size_t i = 1000; i < 2048; ++i) a[i] %= 70000, b[i] %= 70000;
  const auto before = samples<half>(2048, 4);
  for (const half scale : {half(1), half(0.3f), half(0x1p-17f), half(3.1f), half(0)})
    for (const bool saturate : {false, true}) {
      std::vector<half> got, bits, lanes, want(2048), want_bits = before, want_lanes = before;
      const uint64_t mask[2] = {0x9e3779b97f4a7c15ull, 0};
      for (size_t i = 0; i < 2048; ++i) want[i] = deq_relu_of(a[i], b[i], scale, saturate);
      for (size_t i = 0; i < 256; ++i) {
        if (mask[0] >> (i % 64) & 1) want_bits[i] = want[i];
        if (i % 64 < 37) want_lanes[i] = want[i];
      }
      const auto status = run_kernel([&] {
        toprope::core().saturate = saturate;
        auto x = tensor<int32_t>(32768, a), y = tensor<int32_t>(65536, b);
        auto d = tensor<half>(0, before);
        AscendC::SetDeqScale(scale);
        AscendC::AddDeqRelu(d, x, y, 2048);
        got = values(d);
        d = tensor<half>(0, before);
        AscendC::AddDeqRelu(d, x, y, mask, 4, {1, 1, 1, 4, 8, 8});
        bits = values(d);
        d = tensor<half>(0, before);
        AscendC::AddDeqRelu<half, int32_t>(d, x, y, uint64_t{37}, 4, {1, 1, 1, 4, 8, 8});
        lanes = values(d);
      });
      ASSERT_EQ(status.report, "");
      const auto what = "scale " + std::to_string(float(scale)) + (saturate ? " saturating" : "");
      expect_same(got, want, what);
      expect_same(bits, want_bits, what + " bits");
      expect_same(lanes, want_lanes, what + " lanes");
    }
}

INSTANTIATE_TEST_SUITE_P(Simd, CompoundTest, ::testing::Bool(), target_of);

}  // namespace
