// Brcb: each element into a DataBlock of its own.
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

template <class T>
void check(uint8_t repeats, uint16_t block, uint16_t repeat) {
  const int per_block = 32 / sizeof(T);
  std::vector<T> in(repeats ? repeats * 8 : 8), got, want(8192, static_cast<T>(-1));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(static_cast<int>(i + 1));
  for (int r = 0; r < repeats; ++r)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < per_block; ++i)
        want[(r * repeat + j * (block ? block : 1)) * per_block + i] = in[r * 8 + j];
  const auto status = run_kernel([&] {
    auto d = tensor<T>(0, std::vector<T>(8192, static_cast<T>(-1)));
    Brcb(d, tensor<T>(65536, in), repeats, {block, repeat});
    got = values(d);
  });
  ASSERT_EQ(status.report, "");
  expect_same(got, want, std::to_string(sizeof(T)) + " bytes");
}

TEST(Brcb, EveryType) {
  check<half>(2, 1, 8);
  check<bfloat16_t>(3, 1, 8);
  check<int16_t>(2, 2, 16);
  check<uint16_t>(2, 2, 17);
  check<float>(4, 1, 8);
  check<int32_t>(2, 3, 30);
  check<uint32_t>(1, 1, 8);
  check<float>(0, 1, 8);
  check<half>(2, 0, 8);  // the document's code takes 0 as 1
}

TEST(Brcb, Refusals) {
  auto in_place = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(128));
    Brcb(t, t[8], 1, {1, 8});
  });
  EXPECT_NE(in_place.report.find("Brcb: dst and src share bytes of UB from byte 32 on"), std::string::npos)
      << in_place.report;
  auto between = run_kernel([] {  // src lies in the gap between the blocks of dst
    auto t = tensor<float>(0, std::vector<float>(256));
    Brcb(t, t[8], 1, {2, 8});
  });
  EXPECT_EQ(between.report, "");
  auto short_src = run_kernel([] {
    Brcb(tensor<float>(0, std::vector<float>(128)), tensor<float>(4096, std::vector<float>(8)), 2, {1, 8});
  });
  EXPECT_NE(short_src.report.find("Brcb: src ends 32 bytes past its tensor"), std::string::npos)
      << short_src.report;
}

}  // namespace
