// One-source vector instructions. half: all 65,536 values against the C library's double functions, rounded
// once. float: special values, and random bit patterns within the ulp that the instruction promises.
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/kernel.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::UnaryRepeatParams;

template <class T>
struct Forms {
  void (*count)(const LocalTensor<T>&, const LocalTensor<T>&, const int32_t&);
  void (*bits)(const LocalTensor<T>&, const LocalTensor<T>&, const uint64_t[], uint8_t,
               const UnaryRepeatParams&);
  void (*lanes)(const LocalTensor<T>&, const LocalTensor<T>&, uint64_t, uint8_t, const UnaryRepeatParams&);
  void (*register_)(const LocalTensor<T>&, const LocalTensor<T>&, uint64_t, uint8_t,
                    const UnaryRepeatParams&);
};

#define FORMS(Name, T) \
  Forms<T> { AscendC::Name<T>, AscendC::Name<T, true>, AscendC::Name<T, true>, AscendC::Name<T, false> }

struct Row {
  const char* name;
  Forms<half> half_;
  Forms<float> float_;
  double (*exact)(double);
  double ulp;  // of float
};

const Row rows[] = {
    {"Abs", FORMS(Abs, half), FORMS(Abs, float), [](double x) { return std::fabs(x); }, 0},
    {"Exp", FORMS(Exp, half), FORMS(Exp, float), [](double x) { return std::exp(x); }, 1},
    {"Ln", FORMS(Ln, half), FORMS(Ln, float), [](double x) { return std::log(x); }, 1},
    {"Sqrt", FORMS(Sqrt, half), FORMS(Sqrt, float), [](double x) { return std::sqrt(x); }, 0.5},
    {"Rsqrt", FORMS(Rsqrt, half), FORMS(Rsqrt, float), [](double x) { return 1 / std::sqrt(x); }, 1.5},
    {"Reciprocal", FORMS(Reciprocal, half), FORMS(Reciprocal, float), [](double x) { return 1 / x; }, 0.5},
    {"Relu", FORMS(Relu, half), FORMS(Relu, float), relu_of, 0},
};

std::vector<half> all_halves(uint32_t first, uint32_t n) {
  std::vector<half> v(n);
  for (uint32_t i = 0; i < n; ++i) v[i] = half::from_bits(static_cast<uint16_t>(first + i));
  return v;
}

/// Special floats, then bit patterns of every exponent.
std::vector<float> floats(size_t n) {
  std::mt19937 random(5);
  auto v = samples<float>(n, 1);
  for (size_t i = 144; i < n; ++i) v[i] = std::bit_cast<float>(static_cast<uint32_t>(random()));
  const float edge[] = {88.72283f,   88.72284f, -87.33654f, -87.33655f, -103.97207f,
                        -103.97208f, -104.5f,   89.5f,      0x1p-126f,  0x1p-127f};
  std::copy(std::begin(edge), std::end(edge), v.begin() + 144);
  return v;
}

template <class T>
std::vector<T> run(const Forms<T>& op, const std::vector<T>& in, bool saturate = false) {
  std::vector<T> out;
  const auto status = run_kernel([&] {
    toprope::core().saturate = saturate;
    auto d = tensor<T>(0, std::vector<T>(in.size()));
    op.count(d, tensor<T>(65536, in), static_cast<int32_t>(in.size()));
    out = values(d);
  });
  EXPECT_EQ(status.report, "");
  return out;
}

class UnaryTest : public BothTargets {};

TEST_P(UnaryTest, EveryHalf) {
  for (const Row& r : rows)
    for (const bool saturate : {false, true})
      for (uint32_t first = 0; first < 65536; first += 16384) {
        const auto in = all_halves(first, 16384);
        std::vector<half> want(in.size());
        for (size_t i = 0; i < in.size(); ++i) {
          want[i] = half_of(r.exact(float(in[i])));
          if (saturate) want[i] = saturated(want[i]);
        }
        expect_same(run(r.half_, in, saturate), want, std::string(r.name) + (saturate ? " saturating" : ""));
      }
}

TEST_P(UnaryTest, Floats) {
  const auto in = floats(16384);
  for (const Row& r : rows)
    for (const bool saturate : {false, true}) {  // float has no saturation mode
      const auto got = run(r.float_, in, saturate);
      for (size_t i = 0; i < in.size(); ++i)
        ASSERT_LE(ulps(got[i], r.exact(in[i])), r.ulp)
            << r.name << "(" << in[i] << ") is " << got[i] << ", exactly " << r.exact(in[i]);
    }
}

TEST(UnaryTargets, SameBits) {
  const auto in = floats(16384);
  for (const Row& r : rows) {
    toprope::isa::pin_portable_target(true);
    const auto portable = run(r.float_, in);
    toprope::isa::pin_portable_target(false);
    expect_same(run(r.float_, in), portable, r.name);
  }
}

TEST_P(UnaryTest, DocumentedBoundaryValues) {
  const float inf = HUGE_VALF, nan = std::nanf("");
  struct {
    const char* name;
    Forms<half> op;
    std::vector<float> in, usual, saturating;
  } tables[] = {
      {"Exp",
       FORMS(Exp, half),
       {-65504, 65504, 0, -0.0f, nan, inf, -inf, 12},
       {0, inf, 1, 1, nan, inf, 0, inf},
       {0, 65504, 1, 1, 0, 65504, 0, 65504}},
      {"Ln",
       FORMS(Ln, half),
       {-65504, 65504, 0, -0.0f, nan, inf, -inf},
       {nan, 11.09f, -inf, -inf, nan, inf, nan},
       {0, 11.09f, -65504, -65504, 0, 65504, 0}},
      {"Abs",
       FORMS(Abs, half),
       {-65504, 65504, 0, -0.0f, nan, inf, -inf},
       {65504, 65504, 0, 0, nan, inf, inf},
       {65504, 65504, 0, 0, 0, 65504, 65504}},
      {"Reciprocal",
       FORMS(Reciprocal, half),
       {0, -0.0f, nan, inf, -inf},
       {inf, -inf, nan, 0, -0.0f},
       {65504, -65504, 0, 0, -0.0f}},
      // The table's 256 for Sqrt(65504) is left out: the root, 255.93749, is nearer to 255.875.
      {"Sqrt",
       FORMS(Sqrt, half),
       {-65504, 0, -0.0f, nan, inf, -inf},
       {nan, 0, -0.0f, nan, inf, nan},
       {0, 0, -0.0f, 0, 65504, 0}},
      {"Rsqrt",
       FORMS(Rsqrt, half),
       {-65504, 65504, 0, -0.0f, nan, inf, -inf},
       {nan, 0.003906f, inf, -inf, nan, 0, nan},
       {0, 0.003906f, 65504, -65504, 0, 0, 0}},
      {"Relu",
       FORMS(Relu, half),
       {-65504, 65504, 0, -0.0f, nan, inf, -inf},
       {0, 65504, 0, 0, nan, inf, 0},
       {0, 65504, 0, 0, 0, 65504, 0}},
  };
  for (const auto& t : tables) {
    std::vector<half> in(t.in.begin(), t.in.end());
    expect_same(run(t.op, in), std::vector<half>(t.usual.begin(), t.usual.end()), t.name);
    expect_same(run(t.op, in, true), std::vector<half>(t.saturating.begin(), t.saturating.end()),
                std::string(t.name) + " saturating");
  }
}

TEST_P(UnaryTest, Counts) {
  for (const Row& r : rows)
    for (const int32_t count : {0, 1, 7, 16, 31, 64, 129, 1000, 2048}) {
      const auto in = samples<half>(2048, 1), before = samples<half>(2048, 4);
      auto want = before;
      for (int32_t i = 0; i < count; ++i) want[i] = half_of(r.exact(float(in[i])));
      std::vector<half> got, in_place;
      run_kernel([&] {
        auto d = tensor<half>(0, before), s = tensor<half>(8192, in);
        r.half_.count(d, s, count);
        got = values(d);
        r.half_.count(s, s, count);
        in_place = values(s);
      });
      expect_same(got, want, r.name + std::string(" count ") + std::to_string(count));
      std::copy(in.begin() + count, in.end(), want.begin() + count);
      expect_same(in_place, want, r.name + std::string(" in place, count ") + std::to_string(count));
    }
}

TEST_P(UnaryTest, MaskRepeatStride) {
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    const Row& r = rows[round % std::size(rows)];
    const RandomShape shape(random);
    const bool from_register = random() % 4 == 0;
    const UnaryRepeatParams p(shape.dst_block, shape.src_block[0], shape.dst_repeat, shape.src_repeat[0]);
    const auto in = samples<half>(8192, 1), before = samples<half>(8192, 4);
    auto want = before;
    for (uint32_t k = 0; k < shape.repeats; ++k)
      for (uint32_t i = 0; i < 128; ++i) {
        auto at = [&](uint32_t block, uint32_t repeat) {
          return (k * repeat + i / 16 * block) * 16 + i % 16;
        };
        if (from_register ? shape.bits[i / 64] >> (i % 64) & 1 : shape.takes(i))
          want[at(p.dstBlkStride, p.dstRepStride)] =
              half_of(r.exact(float(in[at(p.srcBlkStride, p.srcRepStride)])));
      }
    std::vector<half> got;
    const auto status = run_kernel([&] {
      auto d = tensor<half>(0, before), s = tensor<half>(32768, in);
      if (from_register) {
        std::copy_n(shape.bits, 2, toprope::core().mask.bits);
        r.half_.register_(d, s, AscendC::MASK_PLACEHOLDER, shape.repeats, p);
      } else if (shape.by_bits) {
        r.half_.bits(d, s, shape.bits, shape.repeats, p);
      } else {
        r.half_.lanes(d, s, shape.lanes, shape.repeats, p);
      }
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, r.name + std::string(" round ") + std::to_string(round));
    if (HasFailure()) return;
  }
}

TEST_P(UnaryTest, CounterMode) {  // 130 elements with gaps of a block; repeatTime is not looked at
  const auto in = samples<float>(512, 1), before = samples<float>(512, 4);
  for (const bool set_mask : {true, false}) {
    std::vector<float> got, want = before;
    for (uint32_t i = 0; i < 130; ++i) want[i / 8 * 16 + i % 8] = std::fabs(in[i / 8 * 16 + i % 8]);
    run_kernel([&] {
      auto d = tensor<float>(0, before), s = tensor<float>(4096, in);
      toprope::core().mask.counter = true;
      const uint64_t mask[2] = {130, 0};
      if (set_mask) {
        AscendC::Abs(d, s, mask, 1, {2, 2, 16, 16});
      } else {
        toprope::core().mask.bits[0] = 130;
        AscendC::Abs<float, false>(d, s, AscendC::MASK_PLACEHOLDER, 1, {2, 2, 16, 16});
      }
      got = values(d);
    });
    expect_same(got, want, set_mask ? "own mask" : "mask register");
  }
}

TEST_P(UnaryTest, Integers) {
  const auto wide = samples<int32_t>(500, 1);
  const auto narrow = samples<int16_t>(500, 1);
  const auto bits = samples<uint16_t>(500, 1);
  std::vector<int32_t> relu;
  std::vector<int16_t> signed_not;
  std::vector<uint16_t> unsigned_not;
  run_kernel([&] {
    auto a = tensor<int32_t>(0, wide);
    auto b = tensor<int16_t>(4096, narrow);
    auto c = tensor<uint16_t>(8192, bits);
    AscendC::Relu(a, a, 500);
    AscendC::Not(b, b, 500);
    AscendC::Not(c, c, uint64_t{128}, 3, {1, 1, 8, 8});
    AscendC::Not(c[384], c[384], 116);
    relu = values(a), signed_not = values(b), unsigned_not = values(c);
  });
  for (size_t i = 0; i < 500; ++i) {
    EXPECT_EQ(relu[i], wide[i] > 0 ? wide[i] : 0);
    EXPECT_EQ(signed_not[i], -1 - narrow[i]);
    EXPECT_EQ(unsigned_not[i], 65535 - bits[i]);
  }
}

TEST_P(UnaryTest, RowsThatAreNotBlocks) {  // facts/cases A24: int16 [8,100], rows of 200 bytes
  const auto in = samples<int16_t>(800, 1);
  std::vector<int16_t> got;
  const auto whole = run_kernel([&] {
    auto d = tensor<int16_t>(0, std::vector<int16_t>(800)), s = tensor<int16_t>(4096, in);
    AscendC::Not(d, s, 800);
    got = values(d);
  });
  EXPECT_EQ(whole.report, "");
  for (size_t i = 0; i < in.size(); ++i) EXPECT_EQ(got[i], ~in[i]);
  const auto by_rows = run_kernel([&] {
    auto d = tensor<int16_t>(0, std::vector<int16_t>(800)), s = tensor<int16_t>(4096, in);
    for (uint32_t row = 0; row < 8; ++row) AscendC::Not(d[row * 100], s[row * 100], 100);
  });
  EXPECT_NE(by_rows.report.find("Not: dst starts at byte 200 of UB, which is not 32-byte aligned"),
            std::string::npos)
      << by_rows.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, UnaryTest, ::testing::Bool(), target_of);

}  // namespace
