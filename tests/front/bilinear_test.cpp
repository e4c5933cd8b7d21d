// BilinearInterpolation, against the steps of its page in exact arithmetic.
#include <cmath>

#include "front/launch.h"
#include "support/kernel.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::launch;
using toprope::test::tensor;
using toprope::test::values;

struct Case {
  int h, v;
  bool repeat_mode;
  int dst_block, v_offset, mask;
};

half rounded(double v) { return half(static_cast<float>(v)); }

void check(const Case& c) {
  const int repeats = c.h * c.v, weights = c.repeat_mode ? repeats * 8 : (repeats + 7) / 8 * 8;
  std::vector<half> src(repeats * 128), factors((weights + 7) / 8 * 8), want(4096, half(-7)), got;
  std::vector<uint32_t> offsets(repeats * 8);
  for (size_t i = 0; i < src.size(); ++i) src[i] = half(static_cast<float>(i % 97) / 4);
  for (size_t i = 0; i < factors.size(); ++i) factors[i] = half(static_cast<float>(i % 13) / 8 + 0.5f);
  for (size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<uint32_t>(i * 5 % offsets.size() * 32);
  for (int v = 0; v < c.v; ++v)
    for (int i = 0; i < c.mask; ++i) {
      half sum(0.0f);
      for (int h = 0; h < c.h; ++h) {
        const int r = v * c.h + h;
        const half x = src[offsets[r * 8 + i / 16] / 2 + i % 16];
        const half product =
            rounded(double(float(x)) * double(float(factors[c.repeat_mode ? r * 8 + i / 16 : r])));
        sum = h == 0 ? product : rounded(double(float(sum)) + double(float(product)));
      }
      want[v * c.v_offset + i / 16 * 16 * c.dst_block + i % 16] = sum;
    }
  expect_clean(launch([&] {
    auto d = tensor<half>(0, std::vector<half>(4096, half(-7)));
    BilinearInterpolation(d, tensor<half>(16384, src), tensor<uint32_t>(32768, offsets),
                          tensor<half>(49152, factors), static_cast<uint64_t>(c.mask),
                          static_cast<uint8_t>(c.h), c.repeat_mode, static_cast<uint16_t>(c.dst_block),
                          static_cast<uint16_t>(c.v_offset), static_cast<uint8_t>(c.v),
                          tensor<uint8_t>(65536, std::vector<uint8_t>(98304)));
    got = values(d);
  }));
  toprope::test::expect_same(got, want, std::to_string(c.h) + " x " + std::to_string(c.v));
}

TEST(BilinearInterpolation, AsItsStepsSay) {
  for (bool repeat_mode : {false, true}) {
    check({2, 2, repeat_mode, 1, 128, 128});
    check({1, 3, repeat_mode, 1, 160, 128});
    check({5, 2, repeat_mode, 2, 512, 100});
  }
}

TEST(BilinearInterpolation, TheExampleOfThePage) {
  std::vector<half> src(512), factors(16), got;
  std::vector<uint32_t> offsets(32);
  for (int i = 0; i < 512; ++i) src[i] = half(static_cast<float>(i + 1));
  for (int i = 0; i < 16; ++i) factors[i] = half(static_cast<float>(i + 2));
  for (uint32_t i = 0; i < 32; ++i) offsets[i] = 32 * i;
  expect_clean(launch([&] {
    auto d = tensor<half>(0, std::vector<half>(256));
    uint64_t mask[2] = {UINT64_MAX, UINT64_MAX};
    BilinearInterpolation(d, tensor<half>(16384, src), tensor<uint32_t>(32768, offsets),
                          tensor<half>(49152, factors), mask, 2, false, 1, 128, 2,
                          tensor<uint8_t>(65536, std::vector<uint8_t>(528 * 32)));
    got = values(d);
  }));
  EXPECT_EQ(static_cast<float>(got[0]), 389.0f);  // 1 * 2 + 129 * 3
  EXPECT_EQ(static_cast<float>(got[1]), 394.0f);
  EXPECT_EQ(static_cast<float>(got[3]), 404.0f);
}

}  // namespace
