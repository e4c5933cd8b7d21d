// Conversions against rounding by definition (support/exact.h): exhaustive from 16-bit types, edges and
// random values from wider ones, every rounding mode.
#include <cstring>
#include <functional>
#include <random>

#include "support/exact.h"
#include "support/kernel.h"
#include "support/recorder.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::RoundMode;

constexpr RoundMode kDirected[] = {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_CEIL,
                                   RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC};
const char* const kNames[] = {"NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"};

long double number(half v) { return half_number(v.bits()); }
long double number(bfloat16_t v) { return static_cast<float>(v); }
template <class T>
long double number(T v) {
  return v;
}

/// An exact, rounded value as an element: integers clamp, NaN is 0 among them.
template <class T>
T element(long double v) {
  if constexpr (std::is_same_v<T, half>) {
    return half::from_bits(half_bits_of(v));
  } else if constexpr (std::is_same_v<T, bfloat16_t>) {
    const float f = static_cast<float>(v);
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    return bfloat16_t::from_bits(static_cast<uint16_t>(std::isnan(v) ? 0x7fc0 : bits >> 16));
  } else if constexpr (std::is_integral_v<T>) {
    if (std::isnan(v)) return 0;
    if (v <= static_cast<long double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (v >= static_cast<long double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(v);
  } else {
    return static_cast<T>(v);
  }
}

template <class To, class From>
To expected(From from, RoundMode mode) {
  const long double v = number(from);
  if constexpr (std::is_same_v<To, half>)
    return element<To>(to_half(v, mode));
  else if constexpr (std::is_same_v<To, bfloat16_t>)
    return element<To>(to_bfloat16(v, mode));
  else if constexpr (std::is_same_v<To, float> && std::is_same_v<From, float>) {
    const long double whole = to_integer(v, mode);
    return whole == 0 ? 0.0f : static_cast<float>(whole);
  } else if constexpr (std::is_same_v<To, float>)
    return element<To>(to_float(v, mode));
  else
    return element<To>(to_integer(v, mode));
}

template <class T>
std::vector<T> every16() {
  std::vector<T> v(65536);
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<uint16_t>(i);
    std::memcpy(static_cast<void*>(&v[i]), &bits, 2);
  }
  return v;
}

float float_from(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}

/// Around every half and its ties, around powers of two, and random bits.
std::vector<float> floats() {
  std::vector<float> v;
  for (uint32_t h = 0; h < 0x7c00; h += 7) {
    const auto at = static_cast<float>(half_number(static_cast<uint16_t>(h)));
    const auto next = static_cast<float>(half_number(static_cast<uint16_t>(h + 1)));
    const float tie = (at + next) / 2;
    for (float f :
         {at, tie, std::nextafter(tie, 0.0f), std::nextafter(tie, HUGE_VALF), std::nextafter(at, 1e30f)}) {
      v.push_back(f);
      v.push_back(-f);
    }
  }
  for (int e = -149; e < 128; ++e)
    for (float f : {std::ldexp(1.0f, e), std::ldexp(1.5f, e), std::nextafter(std::ldexp(1.0f, e), 0.0f)}) {
      v.push_back(f);
      v.push_back(-f);
    }
  for (float f : {0.0f,           -0.0f,          65504.0f,       65505.0f,    65519.996f,    65520.0f,
                  65535.0f,       65536.0f,       32767.5f,       -32768.5f,   127.5f,        2147483648.0f,
                  -2147483648.0f, 2147483520.0f,  -2147483904.0f, 0x1p63f,     -0x1p63f,      0x1.fffffep62f,
                  3.4028235e38f,  -3.4028235e38f, HUGE_VALF,      -HUGE_VALF,  std::nanf(""), -std::nanf(""),
                  0.49999997f,    -0.49999997f,   8388607.5f,     -8388607.5f, 4194304.5f,    1e-40f,
                  -1e-40f,        1e-45f}) {
    v.push_back(f);
  }
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) v.push_back(float_from(static_cast<uint32_t>(random())));
  std::uniform_real_distribution<float> near(-70000, 70000);
  for (int i = 0; i < 20000; ++i) v.push_back(near(random));
  return v;
}

template <class T>
std::vector<T> integers() {
  std::vector<T> v = {0,
                      1,
                      -1,
                      std::numeric_limits<T>::min(),
                      std::numeric_limits<T>::max(),
                      std::numeric_limits<T>::max() - 1,
                      std::numeric_limits<T>::min() + 1};
  for (int e = 1; e < std::numeric_limits<T>::digits; ++e)
    for (int below = 0; below < 4; ++below)
      for (int add = -2; add <= 2; ++add) {
        T x = static_cast<T>(T{1} << e);
        if (e > 24) x = static_cast<T>(x + below * (T{1} << (e - 24)));  // halves of the spacing of floats
        v.push_back(static_cast<T>(x + add));
        v.push_back(static_cast<T>(-x + add));
      }
  std::mt19937_64 random(9);
  for (int i = 0; i < 20000; ++i) v.push_back(static_cast<T>(random() >> random() % 60));
  return v;
}

class CastTest : public BothTargets {
 protected:
  template <class To, class From>
  void check(const std::vector<From>& from, const std::vector<RoundMode>& modes, const std::string& name) {
    constexpr size_t kPart = 8192;
    for (RoundMode mode : modes)
      for (size_t at = 0; at < from.size(); at += kPart) {
        const std::vector<From> part(from.begin() + static_cast<long>(at),
                                     from.begin() + static_cast<long>(std::min(at + kPart, from.size())));
        std::vector<To> want(part.size()), got;
        for (size_t i = 0; i < part.size(); ++i) want[i] = expected<To>(part[i], mode);
        const auto status = run_kernel([&] {
          auto d = tensor<To>(0, std::vector<To>(part.size()));
          AscendC::Cast(d, tensor<From>(98304, part), mode, static_cast<uint32_t>(part.size()));
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(got, want,
                    name + " " + kNames[static_cast<int>(mode)] + " part " + std::to_string(at / kPart));
        if (HasFailure()) return;
      }
  }
};

const std::vector<RoundMode> directed(std::begin(kDirected), std::end(kDirected));

std::vector<RoundMode> with(RoundMode extra, std::vector<RoundMode> modes = directed) {
  modes.push_back(extra);
  return modes;
}

TEST_P(CastTest, FromEveryHalf) {
  const auto all = every16<half>();
  check<float>(all, {RoundMode::CAST_NONE}, "half float");
  check<int32_t>(all, with(RoundMode::CAST_NONE), "half int32");
  check<int16_t>(all, directed, "half int16");
  check<int8_t>(all, with(RoundMode::CAST_NONE), "half int8");
  check<uint8_t>(all, with(RoundMode::CAST_NONE), "half uint8");
}

TEST_P(CastTest, FromEveryBfloat16) {
  const auto all = every16<bfloat16_t>();
  check<float>(all, {RoundMode::CAST_NONE}, "bfloat16 float");
  check<int32_t>(all, directed, "bfloat16 int32");
}

TEST_P(CastTest, FromEverySmallInteger) {
  const auto all = every16<int16_t>();
  check<half>(all, with(RoundMode::CAST_NONE), "int16 half");
  check<float>(all, {RoundMode::CAST_NONE}, "int16 float");
  std::vector<int8_t> bytes(256);
  std::vector<uint8_t> unsigned_bytes(256);
  for (int i = 0; i < 256; ++i)
    bytes[i] = static_cast<int8_t>(i), unsigned_bytes[i] = static_cast<uint8_t>(i);
  check<half>(bytes, {RoundMode::CAST_NONE}, "int8 half");
  check<half>(unsigned_bytes, {RoundMode::CAST_NONE}, "uint8 half");
}

TEST_P(CastTest, FromFloat) {
  const auto all = floats();
  check<half>(all, with(RoundMode::CAST_ODD, with(RoundMode::CAST_NONE)), "float half");
  check<bfloat16_t>(all, directed, "float bfloat16");
  check<float>(all, directed, "float float");
  check<int16_t>(all, directed, "float int16");
  check<int32_t>(all, directed, "float int32");
  check<int64_t>(all, directed, "float int64");
}

TEST_P(CastTest, FromWideIntegers) {
  check<int16_t>(integers<int32_t>(), {RoundMode::CAST_NONE}, "int32 int16");
  check<float>(integers<int32_t>(), with(RoundMode::CAST_NONE), "int32 float");
  check<int64_t>(integers<int32_t>(), {RoundMode::CAST_NONE}, "int32 int64");
  check<int32_t>(integers<int64_t>(), {RoundMode::CAST_NONE}, "int64 int32");
  check<float>(integers<int64_t>(), directed, "int64 float");
}

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

TEST_P(CastTest, DocumentedExamples) {  // precision_conversion.md; facts/cases A07, A08, A10, A26, A29
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
  const auto brain =
      cast_of<bfloat16_t>(cast_of<float>(std::vector<int32_t>{259, 33000, -259}, CAST_RINT), CAST_RINT);
  EXPECT_EQ(float(brain[0]), 260);
  EXPECT_EQ(float(brain[1]), 33024);
  EXPECT_EQ(float(brain[2]), -260);
}

TEST_P(CastTest, SaturationMode) {  // boundary values, Cast: only half and bfloat16_t results differ
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

TEST_P(CastTest, Int4PacksTwoInAByte) {
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

/// Masks, repeats and strides: the wider type decides what a repeat holds, each operand strides in its own
/// blocks.
template <class To, class From>
void strided(std::mt19937& random, RoundMode mode, const std::string& name) {
  constexpr uint32_t full = 256 / std::max(sizeof(To), sizeof(From));
  constexpr uint32_t to_block = 32 / sizeof(To), from_block = 32 / sizeof(From);
  for (int round = 0; round < 30; ++round) {
    const uint8_t repeats = random() % 5;
    const bool bits = random() % 2;
    const uint64_t mask[2] = {random() * 0x100000001ull * (random() % 3 + 1),
                              random() * 0x9e3779b97f4a7c15ull};
    const uint64_t lanes = random() % (full + 1);
    const uint16_t to_blk = 1 + random() % 2, from_blk = random() % 3;
    const uint8_t to_rep = static_cast<uint8_t>(full / to_block * to_blk + random() % 3),
                  from_rep = random() % 10;
    std::vector<From> from(4096);
    for (auto& x : from) x = static_cast<From>(static_cast<int>(random() % 200) - 100);
    std::vector<To> want(8192, To(42)), got;
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t i = 0; i < full; ++i) {
        if (!(bits ? mask[i / 64] >> (i % 64) & 1 : i < lanes)) continue;
        want[(r * to_rep + i / to_block * to_blk) * to_block + i % to_block] = expected<To>(
            from[(r * from_rep + i / from_block * from_blk) * from_block + i % from_block], mode);
      }
    const auto status = run_kernel([&] {
      auto d = tensor<To>(0, std::vector<To>(8192, To(42)));
      auto s = tensor<From>(98304, from);
      uint64_t m[2] = {mask[0], mask[1]};
      if (bits)
        AscendC::Cast(d, s, mode, m, repeats, {to_blk, from_blk, to_rep, from_rep});
      else
        AscendC::Cast(d, s, mode, lanes, repeats, {to_blk, from_blk, to_rep, from_rep});
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, name + " round " + std::to_string(round));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST_P(CastTest, MaskRepeatStride) {
  std::mt19937 random(3);
  strided<float, half>(random, RoundMode::CAST_NONE, "half float");
  strided<half, float>(random, RoundMode::CAST_FLOOR, "float half");
  strided<int8_t, half>(random, RoundMode::CAST_RINT, "half int8");
  strided<half, uint8_t>(random, RoundMode::CAST_NONE, "uint8 half");
  strided<int64_t, int32_t>(random, RoundMode::CAST_NONE, "int32 int64");
  strided<int32_t, int64_t>(random, RoundMode::CAST_NONE, "int64 int32");
  strided<float, float>(random, RoundMode::CAST_CEIL, "float float");
}

TEST_P(CastTest, EveryTailWritesNothingBeyond) {
  std::vector<float> from(100);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i) + 0.5f;
  for (uint32_t n = 0; n <= 70; ++n) {
    std::vector<half> got;
    run_kernel([&] {
      auto d = tensor<half>(0, std::vector<half>(100, half(-7)));
      AscendC::Cast(d, tensor<float>(1024, from), RoundMode::CAST_NONE, n);
      got = values(d);
    });
    for (uint32_t i = 0; i < 100; ++i) ASSERT_EQ(float(got[i]), i < n ? i + 0.5f : -7.0f) << n << " " << i;
  }
}

TEST_P(CastTest, NarrowsInPlace) {
  std::vector<float> from(3000);
  for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
  std::vector<half> got;
  run_kernel([&] {
    auto s = tensor<float>(0, from);
    auto d = s.ReinterpretCast<half>();
    AscendC::Cast(d, s, RoundMode::CAST_RINT, 3000);
    d.SetSize(3000);
    got = values(d);
  });
  for (size_t i = 0; i < from.size(); ++i)
    ASSERT_EQ(got[i].bits(), half_bits_of(to_half(static_cast<long double>(i))));
}

TEST_P(CastTest, Int32ToHalfIsScaled) {
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

TEST_P(CastTest,
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

TEST_P(CastTest, ReluCasts) {  // AddReluCast and SubReluCast: examples and boundary values
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

TEST_P(CastTest, RefusesModesThatThePairDoesNotHave) {  // facts/cases G11
  auto mode = run_kernel([] {
    AscendC::Cast(tensor<float>(0, std::vector<float>(16)), tensor<half>(64, std::vector<half>(16)),
                  RoundMode::CAST_RINT, 16);
  });
  EXPECT_NE(mode.report.find("Cast: half to float has no rounding mode CAST_RINT"), std::string::npos)
      << mode.report;
  EXPECT_NE(mode.report.find("use one of: CAST_NONE"), std::string::npos) << mode.report;
  auto hybrid = run_kernel([] {
    AscendC::Cast(tensor<half>(0, std::vector<half>(16)), tensor<float>(64, std::vector<float>(16)),
                  RoundMode::CAST_HYBRID, 16);
  });
  EXPECT_NE(hybrid.report.find("has no rounding mode number 7"), std::string::npos) << hybrid.report;
  auto over = run_kernel([] {
    AscendC::Cast(tensor<float>(0, std::vector<float>(16)), tensor<half>(64, std::vector<half>(17)),
                  RoundMode::CAST_NONE, 17);
  });
  EXPECT_NE(over.report.find("Cast: dst ends 4 bytes past its tensor"), std::string::npos) << over.report;
}

TEST_P(CastTest, SaysWhatItTouches) {  // half to float, 40 of 64 elements a repeat, both with gaps
  Recorder recorder;
  run_kernel([&] {
    AscendC::Cast(tensor<float>(0, std::vector<float>(1024)), tensor<half>(8192, std::vector<half>(1024)),
                  RoundMode::CAST_NONE, uint64_t{40}, 2, {2, 1, 20, 6});
  });
  std::set<uint64_t> written, read;
  for (uint32_t r = 0; r < 2; ++r)
    for (uint32_t i = 0; i < 40; ++i) {
      for (uint32_t k = 0; k < 4; ++k) written.insert((r * 20 + i / 8 * 2) * 32 + i % 8 * 4 + k);
      for (uint32_t k = 0; k < 2; ++k) read.insert(8192 + (r * 6 + i / 16) * 32 + i % 16 * 2 + k);
    }
  EXPECT_EQ(recorder.name, "Cast");
  EXPECT_EQ(bytes_of(recorder.operands["dst"]), written);
  EXPECT_EQ(bytes_of(recorder.operands["src"]), read);
  EXPECT_TRUE(recorder.operands["dst"].write);
  EXPECT_FALSE(recorder.operands["src"].write);
}

INSTANTIATE_TEST_SUITE_P(Simd, CastTest, ::testing::Bool(), target_of);

}  // namespace
