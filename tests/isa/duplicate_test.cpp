// Duplicate in its three forms.
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

class DuplicateTest : public BothTargets {
 protected:
  template <class T>
  void every_count(T value) {
    for (int32_t count : {0, 1, 3, 15, 16, 17, 64, 127, 1000, 2048}) {
      std::vector<T> got, want(2048, static_cast<T>(-1));
      std::fill_n(want.begin(), count, value);
      const auto status = run_kernel([&] {
        auto d = tensor<T>(64, std::vector<T>(2048, static_cast<T>(-1)));
        Duplicate(d, value, count);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, want, "count " + std::to_string(count));
    }
  }
};

TEST_P(DuplicateTest, EveryType) {
  every_count<half>(half(18));
  every_count<float>(0.1f);
  every_count<bfloat16_t>(bfloat16_t(-2.5f));
  every_count<int16_t>(-12345);
  every_count<uint16_t>(54321);
  every_count<int32_t>(-123456789);
  every_count<uint32_t>(0xdeadbeef);
}

TEST_P(DuplicateTest,
       MaskAndStrides) {  // every second DataBlock, 2 repeats; the lanes of a repeat by count and by bits
  std::vector<half> by_count, by_bits, want_count(1024, half(-1)), want_bits(1024, half(-1));
  const uint64_t bits[2] = {0x8000000000000001, 0xff00};
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 128; ++i) {
      const int at = r * 20 * 16 + i / 16 * 32 + i % 16;
      if (i < 100) want_count[at] = half(18);
      if (bits[i / 64] >> (i % 64) & 1) want_bits[at] = half(18);
    }
  const auto status = run_kernel([&] {
    auto d = tensor<half>(0, std::vector<half>(1024, half(-1)));
    Duplicate(d, half(18), uint64_t{100}, 2, 2, 20);
    by_count = values(d);
    auto e = tensor<half>(4096, std::vector<half>(1024, half(-1)));
    uint64_t mask[2] = {bits[0], bits[1]};
    Duplicate(e, half(18), mask, 2, 2, 20);
    by_bits = values(e);
    Duplicate(e, half(1), uint64_t{100}, 0, 2, 20);  // no repeats: nothing
    EXPECT_EQ(std::memcmp(e.GetPhyAddr(), by_bits.data(), 2048), 0);
  });
  ASSERT_EQ(status.report, "");
  expect_same(by_count, want_count, "mask count");
  expect_same(by_bits, want_bits, "mask bits");
}

TEST_P(DuplicateTest, MaskRegisterAndCounterMode) {
  std::vector<float> got;
  const auto status = run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(256, -1));
    toprope::core().mask.bits[0] = 0xff;
    Duplicate<float, false>(d, 3.0f, MASK_PLACEHOLDER, 1, 1, 8);
    toprope::core().mask.counter = true;
    Duplicate(d[64], 4.0f, uint64_t{70}, 1, 1, 8);
    got = values(d);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 256; ++i) EXPECT_EQ(got[i], i < 8 ? 3 : i >= 64 && i < 134 ? 4 : -1) << i;
}

TEST_P(DuplicateTest, RefusesMisalignedAndTooMuch) {
  auto over = run_kernel([] { Duplicate(tensor<float>(0, std::vector<float>(64)), 1.0f, 65); });
  EXPECT_NE(over.report.find("Duplicate: dst ends 4 bytes past its tensor"), std::string::npos)
      << over.report;
  auto off = run_kernel([] { Duplicate(tensor<float>(0, std::vector<float>(64))[1], 1.0f, 8); });
  EXPECT_NE(off.report.find("dst starts at byte 4 of UB"), std::string::npos) << off.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, DuplicateTest, ::testing::Bool(), target_of);

}  // namespace
