// CreateVecIndex: consecutive numbers.
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

/// first + i in exact arithmetic, rounded once (floating point) or wrapped (integers).
template <class T>
T at(double first, uint32_t i) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<int64_t>(first) + i);
  else
    return T(static_cast<float>(first + i));
}

class CreateIndexTest : public BothTargets {
 protected:
  template <class T>
  void every_count(double first) {
    for (uint32_t count : {0u, 1u, 3u, 15u, 17u, 64u, 127u, 1000u, 4096u}) {
      std::vector<T> got, want(4096, static_cast<T>(-1));
      for (uint32_t i = 0; i < count; ++i) want[i] = at<T>(first, i);
      const auto status = run_kernel([&] {
        auto d = tensor<T>(64, std::vector<T>(4096, static_cast<T>(-1)));
        CreateVecIndex(d, at<T>(first, 0), count);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, want, "count " + std::to_string(count));
    }
  }
};

TEST_P(CreateIndexTest, EveryType) {
  every_count<half>(0);  // above 2048 every second number is a half: ties go to even
  every_count<half>(-3.5);
  every_count<float>(0.25);
  every_count<float>(16777000);
  every_count<int16_t>(-5);
  every_count<int16_t>(32000);
  every_count<int32_t>(2147483000);
}

TEST_P(CreateIndexTest, MasksAndStrides) {
  std::vector<int32_t> by_count, by_bits, counted;
  const uint64_t bits[2] = {0x8000000000000f01, 0};
  const auto status = run_kernel([&] {
    auto d = tensor<int32_t>(0, std::vector<int32_t>(512, -1));
    CreateVecIndex(d, 100, uint64_t{40}, 2, 1, 16);
    by_count = values(d);
    auto e = tensor<int32_t>(4096, std::vector<int32_t>(512, -1));
    uint64_t mask[2] = {bits[0], bits[1]};
    CreateVecIndex(e, 100, mask, 2, 2, 20);
    by_bits = values(e);
    auto f = tensor<int32_t>(8192, std::vector<int32_t>(512, -1));
    SetMaskCount();
    CreateVecIndex(f, 100, uint64_t{150}, 1, 1, 8);
    SetMaskNorm();
    counted = values(f);
  });
  ASSERT_EQ(status.report, "");
  std::vector<int32_t> want_count(512, -1), want_bits = want_count, want_counted = want_count;
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 64; ++i) {
      if (i < 40) want_count[r * 128 + i] = 100 + r * 64 + i;
      if (bits[0] >> i & 1) want_bits[r * 160 + i / 8 * 16 + i % 8] = 100 + r * 64 + i;
    }
  for (int i = 0; i < 150; ++i) want_counted[i] = 100 + i;
  expect_same(by_count, want_count, "mask count");
  expect_same(by_bits, want_bits, "mask bits");
  expect_same(counted, want_counted, "counter mode");
}

INSTANTIATE_TEST_SUITE_P(Simd, CreateIndexTest, ::testing::Bool(), target_of);

}  // namespace
