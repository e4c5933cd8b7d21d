// Instructions with a vector and a scalar source, against plain arithmetic rounded once, and whole numbers.
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include "support/kernel.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::UnaryRepeatParams;

template <class T>
using Call = void (*)(const LocalTensor<T>&, const LocalTensor<T>&, const T&, const int32_t&);

double leaky_of(double x, double s) { return std::signbit(x) ? x * s : x; }

struct Row {
  const char* name;
  Call<half> half_;
  Call<float> float_;
  Call<int16_t> int16_;
  Call<int32_t> int32_;
  double (*real)(double, double);
  int64_t (*whole)(int64_t, int64_t);
};

#define CALL(Name, T)                                                                  \
  [](const LocalTensor<T>& d, const LocalTensor<T>& s, const T& v, const int32_t& n) { \
    AscendC::Name(d, s, v, n);                                                         \
  }
#define CALLS(Name) CALL(Name, half), CALL(Name, float), CALL(Name, int16_t), CALL(Name, int32_t)

/// Subs has no face in the C++ API of dav-2201; the C API calls it asc_sub_scalar.
template <class T>
void subs(const LocalTensor<T>& d, const LocalTensor<T>& s, const T& v, const int32_t& n) {
  toprope::isa::vector_scalar(toprope::isa::VectorScalar::Subs, toprope::dtype_of<T>, {d.slice()},
                              {s.slice()}, toprope::isa::scalar_of(v), toprope::isa::VecShape::elements(n));
}

const Row rows[] = {
    {"Subs", subs<half>, subs<float>, subs<int16_t>, subs<int32_t>, [](double a, double b) { return a - b; },
     [](int64_t a, int64_t b) { return a - b; }},
    {"Adds", CALLS(Adds), [](double a, double b) { return a + b; },
     [](int64_t a, int64_t b) { return a + b; }},
    {"Muls", CALLS(Muls), [](double a, double b) { return a * b; },
     [](int64_t a, int64_t b) { return a * b; }},
    {"Maxs", CALLS(Maxs), max_of, [](int64_t a, int64_t b) { return a > b ? a : b; }},
    {"Mins", CALLS(Mins), min_of, [](int64_t a, int64_t b) { return a < b ? a : b; }},
    {"LeakyRelu", CALL(LeakyRelu, half), CALL(LeakyRelu, float), nullptr, nullptr, leaky_of, nullptr},
};

class ScalarTest : public BothTargets {
 protected:
  template <class T, class Want>
  void check(const std::string& name, Call<T> call, Want want) {
    const auto a = samples<T>(2048, 1), before = samples<T>(2048, 3), scalars = samples<T>(150, 2);
    for (const bool saturate : {false, true})
      for (size_t k = 0; k < 150; k += 5) {
        const int32_t counts[] = {0, 1, 7, 31, 129, 2048};
        const int32_t count = counts[k / 5 % 6];
        std::vector<T> got, expected = before;
        for (int32_t i = 0; i < count; ++i) expected[i] = want(a[i], scalars[k], saturate);
        const auto status = run_kernel([&] {
          toprope::core().saturate = saturate;
          auto d = tensor<T>(0, before);
          call(d, tensor<T>(16384, a), scalars[k], count);
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(got, expected,
                    name + " by " + std::to_string(static_cast<double>(scalars[k])) +
                        (saturate ? " saturating" : ""));
        if (HasFailure()) return;
      }
  }
};

template <class T>
auto real_of(const Row& r) {
  return [&r](T a, T s, bool saturate) {
    const T v = from_double<T>(r.real(static_cast<double>(a), static_cast<double>(s)));
    return saturate ? saturated(v) : v;
  };
}

template <class T>
auto whole_of(const Row& r) {
  return [&r](T a, T s, bool saturate) { return whole<T>(r.whole(a, s), saturate); };
}

TEST_P(ScalarTest, EveryInstructionEveryType) {
  for (const Row& r : rows) {
    check<half>(std::string(r.name) + " half", r.half_, real_of<half>(r));
    check<float>(std::string(r.name) + " float", r.float_, real_of<float>(r));
    if (r.int16_) check<int16_t>(std::string(r.name) + " int16_t", r.int16_, whole_of<int16_t>(r));
    if (r.int32_) check<int32_t>(std::string(r.name) + " int32_t", r.int32_, whole_of<int32_t>(r));
  }
}

/// The documents' shifts, bit by bit: a signed value keeps its sign bit when shifted left.
template <class T>
T shift_left_of(T x, int n) {
  constexpr int bits = sizeof(T) * 8;
  using U = std::make_unsigned_t<T>;
  U r = 0;
  for (int b = 0; b + n < (std::is_signed_v<T> ? bits - 1 : bits); ++b)
    if (static_cast<U>(x) >> b & 1) r = static_cast<U>(r | U{1} << (b + n));
  if (std::is_signed_v<T> && x < 0) r = static_cast<U>(r | U{1} << (bits - 1));
  return static_cast<T>(r);
}

template <class T>
T shift_right_of(T x, int n, bool round) {
  const double exact = std::ldexp(static_cast<double>(x), -n);
  const double down = std::floor(exact);
  return static_cast<T>(round && exact - down >= 0.5 ? down + 1 : down);
}

class ShiftTest : public BothTargets {
 protected:
  template <class T>
  void check() {
    const auto in = samples<T>(512, 1);
    for (int n = 0; n <= static_cast<int>(sizeof(T) * 8); ++n) {
      std::vector<T> left, right, bits, rounded;
      const auto status = run_kernel([&] {
        auto d = tensor<T>(0, std::vector<T>(512)), s = tensor<T>(4096, in);
        const uint64_t mask[2] = {~uint64_t{0}, ~uint64_t{0}};
        const auto distance = static_cast<T>(n);
        const uint8_t repeats = sizeof(T) * 2;
        AscendC::ShiftLeft(d, s, distance, 512);
        left = values(d);
        AscendC::ShiftRight(d, s, distance, 512);
        right = values(d);
        AscendC::ShiftRight(d, s, distance, mask, repeats, {1, 1, 8, 8});
        bits = values(d);
        AscendC::ShiftRight(d, s, distance, uint64_t{256 / sizeof(T)}, repeats, {1, 1, 8, 8}, true);
        rounded = values(d);
      });
      ASSERT_EQ(status.report, "");
      for (size_t i = 0; i < in.size(); ++i) {
        EXPECT_EQ(left[i], shift_left_of(in[i], n)) << +in[i] << " << " << n;
        EXPECT_EQ(right[i], shift_right_of(in[i], n, false)) << +in[i] << " >> " << n;
        EXPECT_EQ(bits[i], right[i]);
        EXPECT_EQ(rounded[i], shift_right_of(in[i], n, std::is_signed_v<T>))
            << +in[i] << " >> " << n << " rounded";
        if (HasFailure()) return;
      }
    }
  }
};

TEST_P(ShiftTest, EveryDistance) {
  check<int16_t>();
  check<uint16_t>();
  check<int32_t>();
  check<uint32_t>();
}

TEST_P(ShiftTest, DocumentedExamples) {
  std::vector<int16_t> by1, by3, right1, right3, round5;
  std::vector<uint16_t> logical;
  run_kernel([&] {
    auto s = tensor<int16_t>(0, std::vector<int16_t>(128, static_cast<int16_t>(0b1010101010101010)));
    auto d = tensor<int16_t>(1024, std::vector<int16_t>(128));
    AscendC::ShiftLeft(d, s, static_cast<int16_t>(1), 128), by1 = values(d);
    AscendC::ShiftLeft(d, s, static_cast<int16_t>(3), 128), by3 = values(d);
    AscendC::ShiftRight(d, s, static_cast<int16_t>(1), 128), right1 = values(d);
    AscendC::ShiftRight(d, s, static_cast<int16_t>(3), 128), right3 = values(d);
    auto seventeen = tensor<int16_t>(2048, std::vector<int16_t>(128, 17));
    AscendC::ShiftRight(d, seventeen, static_cast<int16_t>(5), uint64_t{128}, 1, {1, 1, 8, 8}, true),
        round5 = values(d);
    auto u = tensor<uint16_t>(4096, std::vector<uint16_t>(128, 0b1010101010101010));
    AscendC::ShiftLeft(u, u, static_cast<uint16_t>(1), 128), logical = values(u);
  });
  EXPECT_EQ(by1[0], static_cast<int16_t>(0b1101010101010100));
  EXPECT_EQ(by3[0], static_cast<int16_t>(0b1101010101010000));
  EXPECT_EQ(right1[0], static_cast<int16_t>(0b1101010101010101));
  EXPECT_EQ(right3[0], static_cast<int16_t>(0b1111010101010101));
  EXPECT_EQ(round5[0], 1);
  EXPECT_EQ(logical[0], 0b0101010101010100);
}

TEST_P(ShiftTest, RefusesADistanceBeyondTheType) {
  auto shift = [](int16_t by) {
    return run_kernel([by] {
             auto t = tensor<int16_t>(0, std::vector<int16_t>(128, 1));
             AscendC::ShiftLeft(t, t, by, 128);
           })
        .report;
  };
  EXPECT_NE(shift(17).find("ShiftLeft: scalarValue is 17, which is outside 0 … 16"), std::string::npos)
      << shift(17);
  EXPECT_NE(shift(-1).find("ShiftLeft: scalarValue is -1, which is outside 0 … 16"), std::string::npos)
      << shift(-1);
  EXPECT_EQ(shift(16), "");
}

TEST_P(ScalarTest, MaskRepeatStride) {
  std::mt19937 random(13);
  for (int round = 0; round < 100; ++round) {
    const RandomShape shape(random);
    const UnaryRepeatParams p(shape.dst_block, shape.src_block[0], shape.dst_repeat, shape.src_repeat[0]);
    const auto in = samples<half>(8192, 1), before = samples<half>(8192, 4);
    const half s = half(1.5f);
    auto want = before;
    for (uint32_t k = 0; k < shape.repeats; ++k)
      for (uint32_t i = 0; i < 128; ++i) {
        auto at = [&](uint32_t block, uint32_t repeat) {
          return (k * repeat + i / 16 * block) * 16 + i % 16;
        };
        if (shape.takes(i))
          want[at(p.dstBlkStride, p.dstRepStride)] =
              half_of(float(in[at(p.srcBlkStride, p.srcRepStride)]) * 1.5);
      }
    std::vector<half> got;
    const auto status = run_kernel([&] {
      auto d = tensor<half>(0, before), x = tensor<half>(32768, in);
      if (shape.by_bits)
        AscendC::Muls(d, x, s, shape.bits, shape.repeats, p);
      else
        AscendC::Muls(d, x, s, shape.lanes, shape.repeats, p);
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, "round " + std::to_string(round));
    if (HasFailure()) return;
  }
}

TEST_P(ScalarTest, MaskFromTheRegister) {
  // The mask page's examples: consecutive with the register, in counter and in normal mode, and repeats with
  // it.
  const auto in = samples<half>(512, 1), before = samples<half>(512, 4);
  const half one = half(1.0f);
  const uint64_t pattern = 0x69A569A569A569A5;
  std::vector<half> counted, normal, gaps;
  run_kernel([&] {
    auto d = tensor<half>(0, before), s = tensor<half>(8192, in);
    toprope::core().mask.counter = true;
    toprope::core().mask.bits[0] = 200;
    AscendC::Adds<half, false>(d, s, one, 1);
    counted = values(d);
  });
  run_kernel([&] {
    auto d = tensor<half>(0, before), s = tensor<half>(8192, in);
    toprope::core().mask.bits[0] = toprope::core().mask.bits[1] = pattern;
    AscendC::Adds<half, false>(d, s, one, 1);
    normal = values(d);
  });
  run_kernel([&] {
    auto d = tensor<half>(0, before), s = tensor<half>(8192, in);
    toprope::core().mask.bits[0] = toprope::core().mask.bits[1] = pattern;
    AscendC::Adds<half, false>(d, s, one, AscendC::MASK_PLACEHOLDER, 2, {2, 2, 16, 16});
    gaps = values(d);
  });
  auto want_counted = before, want_normal = before, want_gaps = before;
  for (uint32_t i = 0; i < 200; ++i) want_counted[i] = half_of(double(float(in[i])) + 1);
  for (uint32_t i = 0; i < 128; ++i)
    if (pattern >> (i % 64) & 1) {
      want_normal[i] = half_of(double(float(in[i])) + 1);
      for (uint32_t r = 0; r < 2; ++r) {
        const uint32_t at = r * 256 + i / 16 * 32 + i % 16;
        want_gaps[at] = half_of(double(float(in[at])) + 1);
      }
    }
  expect_same(counted, want_counted, "counter mode");
  expect_same(normal, want_normal, "normal mode");
  expect_same(gaps, want_gaps, "repeats");
}

struct HalfTrait {
  using LiteType = half;
};

TEST_P(ScalarTest, TensorTraits) {
  std::vector<half> got;
  run_kernel([&] {
    LocalTensor<HalfTrait> t(AscendC::TPosition::VECCALC, 0, 128);
    auto plain = tensor<half>(0, std::vector<half>(128, half(3)));
    const uint64_t mask[2] = {~uint64_t{0}, 0};
    AscendC::Adds(t, t, half(1), 128);
    AscendC::Muls(t, t, half(2), mask, 1, {1, 1, 8, 8});
    AscendC::Maxs(t, t, half(5), uint64_t{128}, 1, {1, 1, 8, 8});
    got = values(plain);
  });
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(float(got[i]), i < 64 ? 8 : 5);
}

TEST_P(ScalarTest, LeakyReluBoundaryValues) {
  // Rows of the boundary table in inf/nan mode: src, scalar, dst.
  const float inf = HUGE_VALF, nan = std::nanf("");
  const float table[][3] = {
      {-65504, -65504, inf}, {-65504, 65504, -inf}, {-65504, 0, -0.0f},    {-65504, -0.0f, 0},
      {-65504, nan, nan},    {-65504, inf, -inf},   {-65504, -inf, inf},   {65504, nan, 65504},
      {0, nan, 0},           {-0.0f, -65504, 0},    {-0.0f, 65504, -0.0f}, {-0.0f, nan, nan},
      {-0.0f, inf, nan},     {nan, 1, nan},         {inf, nan, inf},       {-inf, -65504, inf},
      {-inf, 65504, -inf},   {-inf, 0, nan},
  };
  for (const auto& row : table) {
    std::vector<half> got;
    run_kernel([&] {
      auto t = tensor<half>(0, std::vector<half>(16, half(row[0])));
      AscendC::LeakyRelu(t, t, half(row[1]), 16);
      got = values(t);
    });
    EXPECT_TRUE(same(got[3], half(row[2]))) << row[0] << ", " << row[1] << ": " << float(got[3]);
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, ScalarTest, ::testing::Bool(), target_of);
INSTANTIATE_TEST_SUITE_P(Simd, ShiftTest, ::testing::Bool(), target_of);

}  // namespace
