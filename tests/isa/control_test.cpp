// The control register, and casts to integers with saturation off.
#include <cmath>
#include <limits>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

class ControlTest : public BothTargets {};

TEST_P(ControlTest, Ctrl48) {  // the example of the page SetCtrlSpr: 1 leaves inf and NaN, 0 clamps
  std::vector<half> open, clamped;
  int64_t bits[4] = {};
  const auto status = run_kernel([&] {
    const std::vector<half> in = {half(65504.0f), half(-65504.0f), half(INFINITY), half(NAN), half(1.0f)};
    auto s = tensor<half>(0, in);
    auto d = tensor<half>(1024, std::vector<half>(5));
    bits[0] = GetCtrlSpr<48, 48>();
    SetCtrlSpr<48, 48>(0);
    bits[1] = GetCtrlSpr<48, 48>();
    EXPECT_TRUE(GetSaturationFlag<SaturationMode::FLOAT>());
    Add(d, s, s, 5);
    clamped = values(d);
    SetCtrlSpr<48, 48>(1);
    bits[2] = GetCtrlSpr<48, 48>();
    bits[3] = GetCtrlSpr<0, 63>();
    EXPECT_FALSE(GetSaturationFlag<SaturationMode::FLOAT>());
    Add(d, s, s, 5);
    open = values(d);
    SetSaturationFlag<SaturationMode::FLOAT>(true);
    EXPECT_EQ((GetCtrlSpr<48, 48>()), 0);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(bits[0], 1);  // inf and NaN, as torch_npu sets the device
  EXPECT_EQ(bits[1], 0);
  EXPECT_EQ(bits[2], 1);
  EXPECT_EQ(bits[3], int64_t{1} << 48);
  expect_same(open, {half(INFINITY), half(-INFINITY), half(INFINITY), half(NAN), half(2.0f)}, "open");
  expect_same(clamped, {half(65504.0f), half(-65504.0f), half(65504.0f), half(0.0f), half(2.0f)}, "clamped");
}

/// The low bits of a whole number, in exact arithmetic.
template <class To>
To low(long double whole) {
  long double rest = std::fmod(std::fabs(whole), 18446744073709551616.0L);
  auto bits = static_cast<uint64_t>(rest);
  if (whole < 0) bits = 0 - bits;
  return static_cast<To>(bits);
}

template <class To, class From>
void check_wrapped(const std::vector<From>& in, RoundMode mode) {
  std::vector<To> got, want, clamped;
  for (const From& v : in) {
    const long double x = static_cast<long double>(v);
    const long double whole = mode == RoundMode::CAST_FLOOR   ? std::floor(x)
                              : mode == RoundMode::CAST_CEIL  ? std::ceil(x)
                              : mode == RoundMode::CAST_ROUND ? std::round(x)
                              : mode == RoundMode::CAST_TRUNC ? std::trunc(x)
                                                              : std::nearbyint(x);
    want.push_back(low<To>(whole));
  }
  const auto status = run_kernel([&] {
    auto d = tensor<To>(8192, std::vector<To>(in.size()));
    EXPECT_TRUE(GetSaturationFlag<SaturationMode::CAST>());
    SetSaturationFlag<SaturationMode::CAST>(false);
    EXPECT_FALSE(GetSaturationFlag<SaturationMode::CAST>());
    Cast(d, tensor<From>(0, in), mode, static_cast<uint32_t>(in.size()));
    got = values(d);
    SetSaturationFlag<SaturationMode::CAST>(true);
    Cast(d, tensor<From>(0, in), mode, static_cast<uint32_t>(in.size()));
    clamped = values(d);
  });
  ASSERT_EQ(status.report, "");
  expect_same(got, want, std::to_string(sizeof(From)) + " to " + std::to_string(sizeof(To)) + " bytes");
  for (size_t i = 0; i < in.size(); ++i) {
    const long double x = static_cast<long double>(in[i]);
    if (x > static_cast<long double>(std::numeric_limits<To>::max()) + 1) {
      EXPECT_EQ(clamped[i], std::numeric_limits<To>::max()) << i;
    }
  }
}

TEST_P(ControlTest, CastsKeepLowBits) {
  const std::vector<half> halves = {half(510.0f),   half(-200.0f), half(127.5f),  half(-128.5f),
                                    half(65504.0f), half(-0.5f),   half(300.75f), half(1.5f)};
  const std::vector<float> floats = {3e9f, -3e9f, 70000.5f, -70000.5f, 1e20f, 2.5f, -2.5f, 4294967296.0f};
  for (RoundMode mode : {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_CEIL,
                         RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC}) {
    check_wrapped<int8_t>(halves, mode);
    check_wrapped<uint8_t>(halves, mode);
    check_wrapped<int16_t>(halves, mode);
    check_wrapped<int16_t>(floats, mode);
    check_wrapped<int32_t>(floats, mode);
    check_wrapped<int64_t>(floats, mode);
    check_wrapped<int32_t>(std::vector<bfloat16_t>{bfloat16_t(3e9f), bfloat16_t(-1e12f), bfloat16_t(2.5f)},
                           mode);
  }
  check_wrapped<int16_t>(std::vector<int32_t>{70000, -70000, 32768, 5}, RoundMode::CAST_NONE);
  check_wrapped<int32_t>(std::vector<int64_t>{int64_t{1} << 31, -(int64_t{1} << 40) - 7, 5},
                         RoundMode::CAST_NONE);
}

TEST_P(ControlTest, Int4KeepsLowBits) {
  std::vector<uint8_t> got;
  const auto status = run_kernel([&] {
    auto bytes = tensor<uint8_t>(1024, std::vector<uint8_t>(32));
    SetSaturationFlag<SaturationMode::CAST>(false);
    Cast(bytes.ReinterpretCast<int4b_t>(),
         tensor<half>(0, std::vector<half>{half(9.0f), half(-9.0f), half(7.0f), half(16.0f)}),
         RoundMode::CAST_RINT, 4);
    got = values(bytes);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(got[0], 0x79);  // 9 in the low half, -9 = 0b0111 above
  EXPECT_EQ(got[1], 0x07);
}

TEST(LocalMemoryGuard, EndsTheBlockThatMeetsIt) {
  // DataBlocks 3 and 4 of UB: bytes 96 to 160.
  const auto with = [](auto guard, auto use) {
    return run_kernel([&] {
             auto t = tensor<half>(0, std::vector<half>(128));
             CheckLocalMemoryIA(guard);
             use(t);
           })
        .report;
  };
  const CheckLocalMemoryIAParam writes(0, 2, 4, false, false, false, true, false, false, true);
  const auto before = [](auto t) { Duplicate(t, half(1), 48); };
  const auto inside = [](auto t) { Duplicate(t, half(1), 49); };
  const auto reads = [](auto t) { Add(t, t[48], t[48], 16); };
  EXPECT_EQ(with(writes, before), "");
  EXPECT_EQ(with(writes, reads), "");
  const std::string met = with(writes, inside);
  EXPECT_NE(
      met.find(
          "Duplicate: dst is written at bytes 0 to 98 of UB, and CheckLocalMemoryIA guards the bytes 96 to "
          "160"),
      std::string::npos)
      << met;
  CheckLocalMemoryIAParam off = writes;
  off.isEnable = false;
  EXPECT_EQ(with(off, inside), "");
  const CheckLocalMemoryIAParam scalars(3, 2, 4, true, false, false, false, false, false, true);
  EXPECT_EQ(with(scalars, [](auto t) { t.SetValue(50, half(1)); }), "");
  EXPECT_NE(with(scalars, [](auto t) { (void)t.GetValue(50); }).find("GetValue: src is read"),
            std::string::npos);
  EXPECT_NE(with(CheckLocalMemoryIAParam(4, 0, 0, false, false, false, false, false, false, true), before)
                .find("enableBit is 4; it takes 0 to 3"),
            std::string::npos);
  EXPECT_EQ(run_kernel([&] { inside(tensor<half>(0, std::vector<half>(128))); }).report,
            "");  // gone with the block
}

INSTANTIATE_TEST_SUITE_P(Simd, ControlTest, ::testing::Bool(), target_of);

}  // namespace
