// GatherMask: the elements whose bit is set, behind one another.
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

/// How the page describes the elements of a repeat: where each lies in src.
size_t place(uint32_t repeat, uint32_t i, const GatherMaskParams& p, size_t element) {
  const size_t per_block = 32 / element;
  return (repeat * p.src0RepeatStride + i / per_block * p.src0BlockStride) * per_block + i % per_block;
}

bool in_pattern(int pattern, uint32_t i) {
  return pattern == 7 || (pattern < 3 ? i % 2 == static_cast<uint32_t>(pattern - 1)
                                      : i % 4 == static_cast<uint32_t>(pattern - 3));
}

class GatherMaskTest : public BothTargets {
 protected:
  /// pattern 0: the bits of `bits`.
  template <class T>
  void check(int pattern, bool counter, uint32_t mask, GatherMaskParams p) {
    using U = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;
    std::vector<T> in(4096), got, want(4096, static_cast<T>(-1));
    std::mt19937 random(3);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(static_cast<int>(i % 2000));
    std::vector<U> bits(2048);
    for (U& b : bits) b = static_cast<U>(random());
    const auto* bytes = reinterpret_cast<const uint8_t*>(bits.data());
    const uint32_t lanes = counter ? mask : 256 / sizeof(T);
    size_t kept = 0;
    for (uint32_t r = 0; r < p.repeatTimes; ++r)
      for (uint32_t i = 0; i < lanes; ++i) {
        const size_t bit = r * p.src1RepeatStride * 256u + i;
        if (pattern ? in_pattern(pattern, i) : bytes[bit / 8] >> bit % 8 & 1)
          want[kept++] = in[place(r, i, p, sizeof(T))];
      }
    uint64_t count = 12345;
    bool left_counter = true;
    const auto status = run_kernel([&] {
      auto d = tensor<T>(0, std::vector<T>(4096, static_cast<T>(-1)));
      auto s = tensor<T>(32768, in);
      SetMaskCount();
      if (pattern)
        GatherMask(d, s, static_cast<uint8_t>(pattern), counter, mask, p, count);
      else
        GatherMask(d, s, tensor<U>(65536, bits), counter, mask, p, count);
      left_counter = toprope::core().mask.counter;
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    EXPECT_EQ(count, kept);
    EXPECT_FALSE(left_counter);  // the page: the call ends in normal mode
    expect_same(got, want, "pattern " + std::to_string(pattern));
  }

  template <class T>
  void every_form() {
    for (int pattern = 0; pattern <= 7; ++pattern) {
      check<T>(pattern, false, 0, {1, 4, 8, 1});
      check<T>(pattern, false, 0, {2, 2, 20, 0});
      for (uint32_t mask : {1u, 7u, 70u, 128u, 300u}) check<T>(pattern, true, mask, {1, 2, 4, 2});
      check<T>(pattern, true, 70, {2, 3, 24, 1});
      check<T>(pattern, false, 0, {1, 0, 8, 8});
    }
  }
};

TEST_P(GatherMaskTest, EveryTypeAndForm) {
  every_form<half>();
  every_form<bfloat16_t>();
  every_form<int16_t>();
  every_form<uint16_t>();
  every_form<float>();
  every_form<int32_t>();
  every_form<uint32_t>();
}

TEST_P(GatherMaskTest,
       InPlaceAsThePageDoes) {  // 256 numbers from 1 on, every second of them, over the source
  std::vector<uint32_t> in(256), got, want(256);
  for (uint32_t i = 0; i < 256; ++i) in[i] = i + 1;
  for (uint32_t i = 0; i < 256; ++i) want[i] = i < 128 ? 2 * (i + 1) : in[i];  // the rest stays
  uint64_t count = 0;
  const auto status = run_kernel([&] {
    auto t = tensor<uint32_t>(0, in);
    GatherMask(t, t, uint8_t{2}, false, 0, {1, 4, 8, 0}, count);
    got = values(t);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(count, 128u);
  expect_same(got, want, "in place");
}

TEST_P(GatherMaskTest, Refusals) {
  uint64_t count = 0;
  const auto with = [&](auto use) {
    return run_kernel([&] {
             use(tensor<float>(0, std::vector<float>(32)), tensor<float>(1024, std::vector<float>(64)));
           })
        .report;
  };
  EXPECT_EQ(with([&](auto d, auto s) { GatherMask(d, s, uint8_t{1}, false, 0, {1, 1, 8, 0}, count); }), "");
  auto room = with([&](auto d, auto s) { GatherMask(d, s, uint8_t{7}, false, 0, {1, 1, 8, 0}, count); });
  EXPECT_NE(room.find("GatherMask: dst ends 128 bytes past its tensor"), std::string::npos) << room;
  auto source = with([&](auto d, auto s) { GatherMask(d, s, uint8_t{3}, false, 0, {1, 2, 8, 0}, count); });
  EXPECT_NE(source.find("GatherMask: src0 ends 256 bytes past its tensor"), std::string::npos) << source;
  auto pattern = with([&](auto d, auto s) { GatherMask(d, s, uint8_t{8}, false, 0, {1, 1, 8, 0}, count); });
  EXPECT_NE(pattern.find("src1Pattern is 8; it takes 1 to 7"), std::string::npos) << pattern;
  auto none = with([&](auto d, auto s) { GatherMask(d, s, uint8_t{0}, false, 0, {1, 1, 8, 0}, count); });
  EXPECT_NE(none.find("src1Pattern is 0; it takes 1 to 7"), std::string::npos) << none;
}

INSTANTIATE_TEST_SUITE_P(Simd, GatherMaskTest, ::testing::Bool(), target_of);

}  // namespace
