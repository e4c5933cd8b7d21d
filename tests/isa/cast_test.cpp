// Conversions against rounding by definition (support/exact.h): exhaustive from 16-bit types, edges and
// random values from wider ones, every rounding mode.
#include <cstring>
#include <functional>
#include <random>

#include "support/conversions.h"
#include "support/kernel.h"
#include "support/recorder.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::RoundMode;

constexpr RoundMode kDirected[] = {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_CEIL,
                                   RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC};
const char* const kNames[] = {"NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"};

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

TEST_P(CastTest, RefusesModesThatThePairDoesNotHave) {
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

/// The table of Cast for Atlas A2, with two additions that the same page makes elsewhere: half to int32_t
/// also takes CAST_NONE (its example), and int32_t to half ignores the mode.
struct Conversion {
  toprope::DType from, to;
  const char* modes;  // of NRFCUTO: none, rint, floor, ceil, round (up at ties), trunc, odd
};
constexpr Conversion kTable[] = {
    {toprope::DType::Int4, toprope::DType::Half, "N"},
    {toprope::DType::Int8, toprope::DType::Half, "N"},
    {toprope::DType::UInt8, toprope::DType::Half, "N"},
    {toprope::DType::Int16, toprope::DType::Half, "NRFCUT"},
    {toprope::DType::Int16, toprope::DType::Float, "N"},
    {toprope::DType::Half, toprope::DType::Int4, "NRFCUT"},
    {toprope::DType::Half, toprope::DType::Int8, "NRFCUT"},
    {toprope::DType::Half, toprope::DType::UInt8, "NRFCUT"},
    {toprope::DType::Half, toprope::DType::Int16, "RFCUT"},
    {toprope::DType::Half, toprope::DType::Int32, "NRFCUT"},
    {toprope::DType::Half, toprope::DType::Float, "N"},
    {toprope::DType::BFloat16, toprope::DType::Int32, "RFCUT"},
    {toprope::DType::BFloat16, toprope::DType::Float, "N"},
    {toprope::DType::Int32, toprope::DType::Int16, "N"},
    {toprope::DType::Int32, toprope::DType::Half, "NRFCUTO"},
    {toprope::DType::Int32, toprope::DType::Float, "NRFCUT"},
    {toprope::DType::Int32, toprope::DType::Int64, "N"},
    {toprope::DType::Float, toprope::DType::Int16, "RFCUT"},
    {toprope::DType::Float, toprope::DType::Half, "NRFCUTO"},
    {toprope::DType::Float, toprope::DType::BFloat16, "RFCUT"},
    {toprope::DType::Float, toprope::DType::Int32, "RFCUT"},
    {toprope::DType::Float, toprope::DType::Float, "RFCUT"},
    {toprope::DType::Float, toprope::DType::Int64, "RFCUT"},
    {toprope::DType::Int64, toprope::DType::Int32, "N"},
    {toprope::DType::Int64, toprope::DType::Float, "RFCUT"},
};

TEST_P(CastTest, TakesTheTableAndNothingElse) {  // facts/cases G11: every pair of types, every mode
  using namespace toprope;
  const std::string letters = "NRFCUTO?";
  int accepted = 0;
  for (int from = 0; from < kDTypes; ++from)
    for (int to = 0; to < kDTypes; ++to) {
      std::string modes;
      for (const Conversion& c : kTable)
        if (static_cast<int>(c.from) == from && static_cast<int>(c.to) == to) modes = c.modes;
      EXPECT_EQ(isa::rounds_of(static_cast<DType>(to), static_cast<DType>(from)) == 0, modes.empty())
          << from << " " << to;
      for (int mode = 0; mode < 8; ++mode) {
        const auto status = run_kernel([&] {
          const isa::VecOperand dst{{0, 0, 512, Mem::UB}, 1, 8}, src{{1024, 1024, 1536, Mem::UB}, 1, 8};
          isa::cast(static_cast<DType>(to), dst, static_cast<DType>(from), src, static_cast<isa::Round>(mode),
                    isa::VecShape::elements(16));
        });
        const bool documented = modes.find(letters[mode]) != std::string::npos;
        EXPECT_EQ(status.report.empty(), documented)
            << from << " to " << to << " mode " << mode << " " << status.report;
        if (!documented) {
          EXPECT_NE(status.report.find("Cast: "), std::string::npos) << status.report;
        }
        accepted += documented;
      }
    }
  EXPECT_EQ(accepted, 1 * 3 + 6 + 1 + 6 * 3 + 5 + 6 + 1 + 5 + 1 + 1 + 7 + 6 + 1 + 5 + 7 + 5 * 4 + 1 + 5);
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
