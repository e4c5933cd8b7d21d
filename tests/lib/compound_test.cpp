// Power, Fmod, Xor, Axpy, CumSum, the clamps and the gated activations against their definitions.
#include <cmath>
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using toprope::Fault;

constexpr uint32_t kTemporaryAt = 98304, kTemporaryBytes = 65536;

LocalTensor<uint8_t> temporary(uint32_t bytes = kTemporaryBytes) {
  return LocalTensor<uint8_t>(AscendC::TPosition::VECCALC, kTemporaryAt, bytes);
}

/// What `body(dst, src0, src1)` leaves in dst, whose old values are `dst`.
template <class T, class S = T, class Body>
std::vector<T> run(std::vector<T> dst, const std::vector<S>& src0, const std::vector<S>& src1, Body body) {
  const auto status = run_kernel([&] {
    const auto d = tensor<T>(0, dst);
    body(d, tensor<S>(32768, src0), tensor<S>(65536, src1));
    dst = values(d);
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
  return dst;
}

std::vector<float> random_floats(size_t n, double low, double high, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> v;
  while (v.size() < n) v.push_back(std::uniform_real_distribution<float>(low, high)(random));
  return v;
}

TEST(Power, FloatsAgainstDouble) {
  const auto base = random_floats(1000, 0, 30, 1), exponent = random_floats(1000, -20, 20, 2);
  const auto got =
      run(base, base, exponent, [](auto d, auto a, auto b) { AscendC::Power(d, a, b, temporary()); });
  for (size_t i = 0; i < got.size(); ++i) {
    const double want = std::pow(double{base[i]}, double{exponent[i]});
    if (want > 3.4e38 || want < 1.2e-38) continue;
    EXPECT_NEAR(got[i] / want, 1, 2e-6) << base[i] << " to the " << exponent[i];
  }
}

TEST(Power, SignsAndSpecialValues) {
  const float inf = INFINITY, nan = NAN;
  const std::vector<float> base = {-2, -2, -2, 0, 0, 0, inf, inf, -0.5f, 1, nan, 5, 1e-40f, 2, 2},
                           exponent = {3, 2, 0.5f, 2, -1, 0, 2, -2, -3, 1e9f, 0, 0, 1, inf, -inf};
  const auto got =
      run(base, base, exponent, [](auto d, auto a, auto b) { AscendC::Power(d, a, b, temporary()); });
  for (size_t i = 0; i < got.size(); ++i) {
    const double want = std::pow(double{base[i]}, double{exponent[i]});
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got[i])) << base[i] << " to the " << exponent[i];
    else if (std::isfinite(want) && want != 0)
      EXPECT_NEAR(got[i] / want, 1, 1e-4) << base[i] << " to the " << exponent[i];
    else
      EXPECT_EQ(got[i], want) << base[i] << " to the " << exponent[i];
  }
}

TEST(Power, NumbersAsSources) {
  const std::vector<float> x = {2, 3, 4, 5, 6, 7, 8, 9};
  const auto fourth = run(x, x, x, [](auto d, auto a, auto) { AscendC::Power(d, a, 4.0f, temporary()); });
  const auto of_two = run(x, x, x, [](auto d, auto a, auto) { AscendC::Power(d, 2.0f, a, temporary(), 8u); });
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(fourth[i], std::pow(x[i], 4), 1e-2);
    EXPECT_NEAR(of_two[i], std::exp2(x[i]), 1e-4);
  }
  const std::vector<half> h(100, half(3.0f));
  for (const half v :
       run(h, h, h, [](auto d, auto a, auto) { AscendC::Power(d, a, half(2.0f), temporary()); }))
    EXPECT_EQ(static_cast<float>(v), 9);
}

TEST(Power, IntegersWrap) {
  const std::vector<int32_t> base = {2, 3, -3, 1, -1, -1, 2, 0, 7, 0, 10},
                             exponent = {4, 3, 3, -5, -5, -4, -1, 0, 30, 5, 9};
  std::vector<int32_t> want;
  for (size_t i = 0; i < base.size(); ++i) {
    uint32_t power = 1;
    if (exponent[i] < 0) power = base[i] == 1 ? 1u : base[i] == -1 ? (exponent[i] % 2 ? ~0u : 1u) : 0u;
    for (int k = 0; k < exponent[i]; ++k) power *= static_cast<uint32_t>(base[i]);
    want.push_back(static_cast<int32_t>(power));
  }
  EXPECT_EQ(run(base, base, exponent, [](auto d, auto a, auto b) { AscendC::Power(d, a, b, temporary()); }),
            want);
  EXPECT_EQ(run(base, base, exponent, [](auto d, auto a, auto) { AscendC::Power(d, a, 3, temporary()); }),
            (std::vector<int32_t>{8, 27, -27, 1, -1, -1, 8, 0, 343, 0, 1000}));
  EXPECT_EQ(run(base, base, exponent, [](auto d, auto a, auto) { AscendC::Power(d, a, -1, temporary()); }),
            (std::vector<int32_t>{0, 0, 0, 1, -1, -1, 0, 0, 0, 0, 0}));
}

TEST(Fmod, IsExactForQuotientsOf23Bits) {
  auto a = random_floats(3000, -1000, 1000, 3), b = random_floats(3000, -3, 3, 4);
  a.insert(a.end(), {2.0f, -3.0f, 0.0f, 5.0f, -7.5f, 1e6f, 3.0f});
  b.insert(b.end(), {1.5f, 1.1f, 1.0f, INFINITY, 2.5f, 0.7f, 3.0f});
  for (float& v : b)
    if (std::fabs(v) < 1e-3f) v = 1;
  const auto got = run(a, a, b, [](auto d, auto x, auto y) { AscendC::Fmod(d, x, y, temporary()); });
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], std::fmod(a[i], b[i]), 1e-6 * std::fabs(b[i] < 1e9f ? b[i] : 1))
        << a[i] << " % " << b[i];
  const auto bad =
      run<float>({9}, {1}, {0}, [](auto d, auto x, auto y) { AscendC::Fmod(d, x, y, temporary(), 1); });
  EXPECT_TRUE(std::isnan(bad[0]));
}

TEST(Xor, BothTypes) {
  std::vector<int16_t> a, b, want;
  for (int i = 0; i < 1000; ++i) {
    a.push_back(static_cast<int16_t>(i * 7919));
    b.push_back(static_cast<int16_t>(i * 104729 + 3));
    want.push_back(static_cast<int16_t>(a.back() ^ b.back()));
  }
  EXPECT_EQ(run(a, a, b, [](auto d, auto x, auto y) { AscendC::Xor(d, x, y, temporary(256)); }), want);
  EXPECT_EQ(run<uint16_t>({0, 0}, {3, 0xffff}, {5, 1},
                          [](auto d, auto x, auto y) { AscendC::Xor(d, x, y, temporary(), 2); }),
            (std::vector<uint16_t>{6, 0xfffe}));
}

TEST(Axpy, RoundsTheProductFirst) {
  const auto halves = [](std::initializer_list<float> v) {
    std::vector<half> h;
    for (const float f : v) h.push_back(half(f));
    return h;
  };
  // 3 · 1.0009765625 is 3.0029296875, a tie between two halves, and goes to the even one, 3.00390625.
  const auto h = run(halves({1}), halves({1.0009765625f}), halves({0}),
                     [](auto d, auto x, auto) { AscendC::Axpy(d, x, half(3.0f), temporary(), 1); });
  EXPECT_EQ(static_cast<float>(h[0]), 4.00390625f);
  const auto f =
      run<float, half>({1, 2}, halves({1.0009765625f, -1}), halves({0, 0}),
                       [](auto d, auto x, auto) { AscendC::Axpy(d, x, half(3.0f), temporary(), 2); });
  EXPECT_EQ(f, (std::vector<float>{4.0029296875f, -1}));
  EXPECT_EQ(run<float>({1, 2}, {10, 20}, {0, 0},
                       [](auto d, auto x, auto) { AscendC::Axpy(d, x, 0.5f, temporary(), 2); }),
            (std::vector<float>{6, 12}));
}

TEST(Clamps, KeepTheFirstCountElements) {
  EXPECT_EQ(run<float>({9, 9, 9, 9}, {0, 1, 2, 3}, {0, 0, 0, 0},
                       [](auto d, auto x, auto) { AscendC::ClampMax(d, x, temporary(), 1.5f, 3); }),
            (std::vector<float>{0, 1, 1.5f, 9}));
  EXPECT_EQ(run<float>({9, 9, 9, 9}, {0, 1, 2, 3}, {0, 0, 0, 0},
                       [](auto d, auto x, auto) { AscendC::ClampMin<float>(d, x, 1.5f, 4); }),
            (std::vector<float>{1.5f, 1.5f, 2, 3}));
}

TEST(Logarithms, InTheTensorsType) {
  const auto x = random_floats(200, 1e-3, 1e4, 5);
  const auto ln = run(x, x, x, [](auto d, auto a, auto) { AscendC::Log<float, false>(d, a); });
  const auto ten = run(x, x, x, [](auto d, auto a, auto) { AscendC::Log10(d, a, 200); });
  for (size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(ln[i], std::log(x[i]), 1e-6 * (1 + std::fabs(ln[i])));
    EXPECT_NEAR(ten[i], std::log10(x[i]), 1e-6 * (1 + std::fabs(ten[i])));
  }
}

TEST(GatedActivations, TimesTheFirstSource) {
  const auto a = random_floats(300, -3, 3, 6), b = random_floats(300, -6, 6, 7);
  const auto ge = run(a, a, b, [](auto d, auto x, auto y) { AscendC::GeGLU(d, x, y, temporary()); });
  const auto swi =
      run(a, a, b, [](auto d, auto x, auto y) { AscendC::SwiGLU(d, x, y, 1.5f, temporary(), 300); });
  const auto re = run(a, a, b, [](auto d, auto x, auto y) { AscendC::ReGlu(d, x, y, temporary(), 300); });
  for (size_t i = 0; i < a.size(); ++i) {
    const double y = b[i];
    EXPECT_NEAR(ge[i], a[i] * y / (1 + std::exp(-1.5957691216 * (y + 0.044715 * y * y * y))), 2e-5);
    EXPECT_NEAR(swi[i], a[i] * y / (1 + std::exp(-1.5 * y)), 2e-5);
    EXPECT_EQ(re[i], a[i] * std::max(b[i], 0.0f));
  }
  std::vector<bfloat16_t> h = {bfloat16_t(2.0f), bfloat16_t(-1.0f)},
                          g = {bfloat16_t(3.0f), bfloat16_t(-4.0f)};
  const auto bf = run(h, h, g, [](auto d, auto x, auto y) { AscendC::ReGlu(d, x, y, temporary(), 2); });
  EXPECT_EQ(static_cast<float>(bf[0]), 6);
  EXPECT_EQ(static_cast<float>(bf[1]), 0);
}

constexpr AscendC::CumSumConfig kDown{false, false, true}, kAlong{true, false, true};

template <class T, const AscendC::CumSumConfig& config>
void check_cumsum(uint32_t rows, uint32_t columns, uint32_t bytes) {
  std::mt19937 random(rows * columns);
  std::vector<T> x;
  for (uint32_t i = 0; i < rows * columns; ++i)
    x.push_back(T(static_cast<float>(static_cast<int>(random() % 17) - 8) / 4));
  std::vector<T> last(config.isLastAxis ? (rows + 15) / 16 * 16 : columns, T(0.0f));
  const auto got = run(x, x, last, [&](auto d, auto s, auto l) {
    AscendC::CumSum<T, config>(d, l, s, temporary(bytes), AscendC::CumSumInfo{rows, columns});
    last = values(l);
  });
  // Sums of quarters are exact in float; half rounds each.
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) {
      float sum = 0;
      for (uint32_t k = 0; k <= (config.isLastAxis ? c : r); ++k)
        sum += static_cast<float>(config.isLastAxis ? x[r * columns + k] : x[k * columns + c]);
      ASSERT_EQ(static_cast<float>(got[r * columns + c]), static_cast<float>(T(sum))) << r << "," << c;
      if (config.isLastAxis ? c + 1 == columns : r + 1 == rows) {
        ASSERT_EQ(static_cast<float>(last[config.isLastAxis ? r : c]), static_cast<float>(T(sum)));
      }
    }
}

TEST(CumSum, DownColumnsAndAlongRows) {
  check_cumsum<float, kDown>(32, 160, 64);
  check_cumsum<half, kDown>(7, 48, 4096);
  check_cumsum<float, kAlong>(4, 8, 4096);
  check_cumsum<float, kAlong>(19, 200, 2048);
  check_cumsum<half, kAlong>(9, 64, 3000);
  check_cumsum<half, kAlong>(3, 2096, 65536);
}

}  // namespace
