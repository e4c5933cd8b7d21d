// half from float, exhaustively: at every value of half, at every tie, and one float to each side of both.
// The reference is arithmetic on doubles, which hold all of them exactly.
#include "toprope/types/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "support/exact.h"

namespace toprope {
namespace {

TEST(Half, RoundsToNearestEvenAroundEveryValueAndTie) {  // facts/cases G06
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const auto at = static_cast<float>(test::half_number(static_cast<uint16_t>(bits)));
    // Behind the largest finite value lies the one that its exponent would allow next: 65536.
    const auto next =
        bits == 0x7bff ? 65536.0f : static_cast<float>(test::half_number(static_cast<uint16_t>(bits + 1)));
    const float tie = (at + next) / 2;
    const auto low = static_cast<uint16_t>(bits), high = static_cast<uint16_t>(bits + 1);
    const struct {
      float value;
      uint16_t want;
    } cases[] = {{at, low},
                 {std::nextafter(at, HUGE_VALF), low},
                 {std::nextafter(tie, 0.0f), low},
                 {tie, bits % 2 ? high : low},
                 {std::nextafter(tie, HUGE_VALF), high},
                 {std::nextafter(next, 0.0f), high}};
    for (const auto& c : cases) {
      ASSERT_EQ(half(c.value).bits(), c.want) << c.value;
      ASSERT_EQ(half(-c.value).bits(), c.want | 0x8000) << -c.value;
    }
  }
  EXPECT_EQ(half(HUGE_VALF).bits(), 0x7c00);
  EXPECT_EQ(half(3.4e38f).bits(), 0x7c00);
}

TEST(Half, CarriesIntoTheExponent) {  // facts/cases G06: a carry that is or-ed in halves these values
  EXPECT_EQ(float(half(0.124992705882f)), 0.125f);
  EXPECT_EQ(float(half(-0.031243186444f)), -0.03125f);
  EXPECT_EQ(float(half(0.49999f)), 0.5f);
  EXPECT_EQ(float(half(0.99999f)), 1.0f);
}

TEST(Half, EveryValueSurvivesFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const half h = half::from_bits(static_cast<uint16_t>(bits));
    const auto exact = static_cast<float>(test::half_number(static_cast<uint16_t>(bits)));
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(float(h))) << bits;
      continue;
    }
    ASSERT_EQ(float(h), exact) << bits;
    ASSERT_EQ(half(float(h)).bits(), bits);
  }
}

}  // namespace
}  // namespace toprope
