// Element-wise high-level functions against their definitions, computed in double by the C library: every
// half of the documented domain, and floats over it.
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/kernel.h"

namespace toprope {
namespace {

using lib::Elementwise;
using Reference = std::function<double(double)>;

constexpr uint32_t kStep = 4096;

/// f of all values, kStep at a time, with `room` elements' temporary memory (a multiple of 64).
template <class T>
std::vector<T> compute(Elementwise f, const std::vector<T>& x, uint32_t room = 512, lib::Extra extra = {}) {
  std::vector<T> result(x.size());
  auto body = [&] {
    for (size_t at = 0; at < x.size(); at += kStep) {
      const std::vector<T> part(x.begin() + at, x.begin() + std::min(x.size(), at + kStep));
      const auto src = test::tensor<T>(0, part), dst = test::tensor<T>(32768, part);
      const uint32_t bytes = room * 4 * 12;
      AscendC::LocalTensor<uint8_t> memory(AscendC::TPosition::VECCALC, 65536, bytes);
      lib::elementwise(f, dtype_of<T>, dst.slice(), src.slice(), src.slice(), {memory.slice(), bytes},
                       static_cast<uint32_t>(part.size()), extra);
      const auto got = test::values(dst);
      std::copy(got.begin(), got.end(), result.begin() + at);
    }
  };
  EXPECT_EQ(test::run_kernel(body).fault, Fault::None);
  return result;
}

double ulp_of(half v) {
  const double a = std::fabs(static_cast<double>(v));
  return a < 6.103515625e-05 ? std::ldexp(1, -24) : std::ldexp(1, std::ilogb(a) - 10);
}

struct Case {
  const char* name;
  Elementwise f;
  Reference reference;
  double low, high;           ///< the domain
  double half_ulps;           ///< allowed distance from the rounded result, in units of the last place
  double relative, absolute;  ///< the same for float: either suffices
};

double gelu(double x) { return x / (1 + std::exp(-1.5957691216057308 * (x + 0.044715 * x * x * x))); }
double sign(double x) { return (x > 0) - (x < 0); }
double fast_gelu2(double x) {
  const double q = std::min(std::fabs(0.7071 * x), 1.769) - 1.769, s = (x + 1e-12) / std::fabs(x + 1e-12);
  return x * (s * (0.5 - 0.1444 * q * q) + 0.5);
}
/// By the recurrence up to 40 and the asymptotic series there, in long double.
double digamma(double x) {
  if (x < 0) return digamma(1 - x) - M_PI / std::tan(M_PI * (x - std::round(x)));
  long double y = x, sum = 0;
  for (; y < 40; ++y) sum -= 1 / y;
  const long double z = 1 / (y * y);
  return static_cast<double>(sum + std::log(y) - 1 / (2 * y) - z * (1.0L / 12 - z * (1.0L / 120 - z / 252)));
}
double lgamma_of(double x) { return std::lgamma(x); }

const Case cases[] = {
    {"Tanh", Elementwise::Tanh, [](double x) { return std::tanh(x); }, -65504, 65504, 1, 4e-7, 0},
    {"Sin", Elementwise::Sin, [](double x) { return std::sin(x); }, -65504, 65504, 1, 2e-7, 1e-7},
    {"Cos", Elementwise::Cos, [](double x) { return std::cos(x); }, -65504, 65504, 1, 2e-7, 1e-7},
    {"Tan", Elementwise::Tan, [](double x) { return std::tan(x); }, -65503, 65503, 1, 6e-7, 1e-7},
    {"Asin", Elementwise::Asin, [](double x) { return std::asin(x); }, -1, 1, 1, 4e-7, 0},
    {"Acos", Elementwise::Acos, [](double x) { return std::acos(x); }, -1, 1, 1, 4e-7, 0},
    {"Atan", Elementwise::Atan, [](double x) { return std::atan(x); }, -65504, 65504, 1, 4e-7, 0},
    {"Sinh", Elementwise::Sinh, [](double x) { return std::sinh(x); }, -88, 88, 1, 8e-7, 0},
    {"Cosh", Elementwise::Cosh, [](double x) { return std::cosh(x); }, -88, 88, 1, 8e-7, 0},
    {"Asinh", Elementwise::Asinh, [](double x) { return std::asinh(x); }, -65504, 65504, 1, 5e-7, 0},
    {"Acosh", Elementwise::Acosh, [](double x) { return std::acosh(x); }, 1, 65504, 1, 5e-7, 0},
    {"Atanh", Elementwise::Atanh, [](double x) { return std::atanh(x); }, -0.99, 0.99, 1, 5e-7, 0},
    {"Erf", Elementwise::Erf, [](double x) { return std::erf(x); }, -65504, 65504, 1, 5e-7, 0},
    {"Erfc", Elementwise::Erfc, [](double x) { return std::erfc(x); }, -65504, 65504, 1, 2e-6, 1e-38},
    {"Log2", Elementwise::Log2, [](double x) { return std::log2(x); }, 1e-7, 65504, 1, 3e-7, 0},
    {"Lgamma", Elementwise::Lgamma, lgamma_of, 1e-7, 65504, 1, 8e-7, 1e-7},
    {"Lgamma below zero", Elementwise::Lgamma, lgamma_of, -50, -1e-6, 4, 2e-6, 4e-5},
    {"Digamma", Elementwise::Digamma, digamma, 1e-3, 65504, 2, 8e-7, 5e-7},
    {"Digamma below zero", Elementwise::Digamma, digamma, -20, -1e-3, 8, 2e-6, 2e-5},
    {"Trunc", Elementwise::Trunc, [](double x) { return std::trunc(x); }, -65504, 65504, 0, 0, 0},
    {"Ceil", Elementwise::Ceil, [](double x) { return std::ceil(x); }, -65504, 65504, 0, 0, 0},
    {"Floor", Elementwise::Floor, [](double x) { return std::floor(x); }, -65504, 65504, 0, 0, 0},
    {"Round", Elementwise::Round, [](double x) { return std::nearbyint(x); }, -65504, 65504, 0, 0, 0},
    {"Frac", Elementwise::Frac, [](double x) { return x - std::trunc(x); }, -65504, 65504, 0, 0, 0},
    {"Sign", Elementwise::Sign, sign, -65504, 65504, 0, 0, 0},
    {"Sigmoid", Elementwise::Sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, -80, 65504, 1, 4e-7,
     0},
    {"Silu", Elementwise::Silu, [](double x) { return x / (1 + std::exp(-x)); }, -80, 65504, 1, 4e-7, 0},
    {"Gelu", Elementwise::Gelu, gelu, -8, 65504, 1, 6e-6, 0},
    {"FasterGelu", Elementwise::FasterGelu, [](double x) { return x / (1 + std::exp(-1.702 * x)); }, -40,
     65504, 1, 5e-6, 0},
    {"FasterGeluV2", Elementwise::FasterGeluV2, fast_gelu2, -65504, 65504, 1, 4e-7, 2e-7},
};

TEST(Elementwise, EveryHalfOfTheDomain) {
  std::vector<half> all;
  for (uint32_t bits = 0; bits < 65536; ++bits) all.push_back(half::from_bits(static_cast<uint16_t>(bits)));
  for (const Case& c : cases) {
    std::vector<half> x;
    for (const half v : all)
      if (static_cast<double>(v) >= c.low && static_cast<double>(v) <= c.high) x.push_back(v);
    const std::vector<half> got = compute(c.f, x);
    double worst = 0;
    half where{};
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = c.reference(static_cast<double>(x[i]));
      const half want(static_cast<float>(exact));
      const double g = static_cast<double>(got[i]), w = static_cast<double>(want);
      if (g == w || (g != g && w != w)) continue;
      const double distance = std::isfinite(g) && std::isfinite(w) ? std::fabs(g - w) / ulp_of(want) : 1e9;
      if (distance > worst) worst = distance, where = x[i];
    }
    EXPECT_LE(worst, c.half_ulps) << c.name << " at " << static_cast<double>(where);
  }
}

TEST(Elementwise, FloatsOverTheDomain) {
  std::mt19937 random(7);
  for (const Case& c : cases) {
    std::vector<float> x;
    for (int i = 0; i < 6001; ++i)
      x.push_back(std::uniform_real_distribution<float>(static_cast<float>(c.low),
                                                        static_cast<float>(c.high))(random));
    for (int e = -30; e < 16; ++e)
      for (int i = 0; i < 40; ++i)
        for (const int s : {-1, 1}) {
          const float v =
              static_cast<float>(s * std::ldexp(std::uniform_real_distribution<>(1, 2)(random), e));
          if (v >= c.low && v <= c.high) x.push_back(v);
        }
    const std::vector<float> got = compute(c.f, x);
    double worst = 0;
    size_t where = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = c.reference(x[i]), error = std::fabs(got[i] - exact);
      if (static_cast<float>(exact) == got[i] || error <= c.absolute) continue;
      const double relative = error == error ? error / std::fabs(exact) : 1e9;
      if (relative > worst) worst = relative, where = i;
    }
    EXPECT_LE(worst, c.relative) << c.name << " at " << x[where] << ": " << got[where] << " instead of "
                                 << c.reference(x[where]);
  }
}

TEST(Elementwise, SpecialValuesAsDocumented) {
  const float inf = INFINITY, nan = NAN;
  EXPECT_EQ(compute<float>(Elementwise::Sign, {-inf, -2, -0.0f, 0, nan, -nan, 2, inf}),
            (std::vector<float>{-1, -1, 0, 0, 0, 0, 1, 1}));
  const auto acosh = compute<float>(Elementwise::Acosh, {-1, 0, 1});
  EXPECT_TRUE(std::isnan(acosh[0]) && std::isnan(acosh[1]));
  EXPECT_EQ(acosh[2], 0);
  const auto atanh = compute<float>(Elementwise::Atanh, {1, 1.01f});
  EXPECT_EQ(atanh[0], inf);
  EXPECT_TRUE(std::isnan(atanh[1]));
  EXPECT_EQ(compute<float>(Elementwise::Lgamma, {0})[0], inf);
  EXPECT_EQ(compute<float>(Elementwise::Erf, {inf, -inf}), (std::vector<float>{1, -1}));
  EXPECT_EQ(compute<float>(Elementwise::Erfc, {inf, -inf}), (std::vector<float>{0, 2}));
  EXPECT_EQ(compute<float>(Elementwise::Round, {2.5f, 3.5f, -0.5f}), (std::vector<float>{2, 4, 0}));
  for (const Elementwise f : {Elementwise::Tanh, Elementwise::Sin, Elementwise::Cos, Elementwise::Tan,
                              Elementwise::Asin, Elementwise::Acos, Elementwise::Atan, Elementwise::Sinh,
                              Elementwise::Cosh, Elementwise::Asinh, Elementwise::Acosh, Elementwise::Atanh,
                              Elementwise::Erf, Elementwise::Erfc, Elementwise::Sigmoid, Elementwise::Gelu})
    EXPECT_TRUE(std::isnan(compute<float>(f, {nan})[0])) << static_cast<int>(f);
}

TEST(Elementwise, SeriesOfTheExponential) {
  const std::vector<float> x = {-7.5f, -6.5f, -0.5f, 0.5f, 7.5f, 0, 1, -20, 80};
  const auto got = compute(Elementwise::Exp, x, 64, {0, 15, -1});
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(got[i] / std::exp(double{x[i]}), 1, 3e-7) << x[i];
  // Two terms: e^floor(x) (1 + r + r² / 2).
  const auto rough = compute<float>(Elementwise::Exp, {1.5f}, 64, {0, 2, -1});
  EXPECT_NEAR(rough[0], std::exp(1.0) * 1.625, 1e-6);
}

/// The result does not depend on how many passes the temporary memory allows, nor on where they end.
TEST(Elementwise, AnyCountAndAnyTemporaryMemory) {
  for (const uint32_t count : {1u, 63u, 64u, 65u, 159u, 1000u}) {
    std::vector<float> x;
    for (uint32_t i = 0; i < count; ++i) x.push_back(static_cast<float>(i) * 0.002f - 1);
    for (const Elementwise f : {Elementwise::Asin, Elementwise::Frac, Elementwise::Tan})
      EXPECT_EQ(compute(f, x, 64), compute(f, x, 1024)) << count;
  }
}

/// The pages of these allow dst to be src.
TEST(Elementwise, InPlace) {
  std::vector<float> x;
  for (int i = 0; i < 500; ++i) x.push_back(static_cast<float>(i) * 0.03f - 7);
  for (const Elementwise f :
       {Elementwise::Trunc, Elementwise::Gelu, Elementwise::FasterGelu, Elementwise::FasterGeluV2}) {
    const auto check = [&](auto one) {
      using T = decltype(one);
      std::vector<T> in, got;
      for (const float v : x) in.push_back(T(v));
      const LaunchStatus status = test::run_kernel([&] {
        const auto t = test::tensor<T>(0, in);
        AscendC::LocalTensor<uint8_t> memory(AscendC::TPosition::VECCALC, 65536, 4096);
        lib::elementwise(f, dtype_of<T>, t.slice(), t.slice(), t.slice(), {memory.slice(), 4096}, 500);
        got = test::values(t);
      });
      EXPECT_EQ(status.fault, Fault::None) << status.report;
      test::expect_same(got, compute(f, in), "in place");
    };
    check(1.0f);
    check(half(1.0f));
  }
}

TEST(Elementwise, AReportNamesTheFunctionAndTheKernelsLine) {
  const LaunchStatus status = test::run_kernel([] {
    const auto src = test::tensor<float>(0, std::vector<float>(128, 1.0f));
    AscendC::LocalTensor<float> dst(AscendC::TPosition::VECCALC, 1024, 64);
    AscendC::LocalTensor<uint8_t> memory(AscendC::TPosition::VECCALC, 65536, 16384);
    AscendC::Tanh(dst, src, memory);
  });
  EXPECT_EQ(status.fault, Fault::Exception);
  EXPECT_NE(status.report.find("Tanh: Div: dst"), std::string::npos) << status.report;
  EXPECT_NE(status.report.find("elementwise_test.cpp"), std::string::npos) << status.report;
}

/// Sample two of the page of further samples leaves 8 KiB for the framework.
TEST(Elementwise, TakesWhatNoBufferHasTaken) {
  for (const uint32_t left : {8192u, 0u}) {
    const LaunchStatus status = test::run_kernel([&] {
      AscendC::TPipe pipe;
      AscendC::TBuf<AscendC::TPosition::VECCALC> in, out, rest;
      pipe.InitBuffer(in, 4096);
      pipe.InitBuffer(out, 4096);
      pipe.InitBuffer(rest, core().capacity[static_cast<int>(Mem::UB)] - 8192 - left);
      const auto x = in.Get<float>(), y = out.Get<float>();
      AscendC::Duplicate(x, 0.5f, 1024);
      AscendC::Asin<float, false>(y, x, 1024);
      for (uint32_t i = 0; i < 1024; ++i) EXPECT_NEAR(y.GetValue(i), std::asin(0.5), 1e-7) << i;
    });
    EXPECT_EQ(status.fault == Fault::None, left != 0) << status.report;
  }
}

TEST(Elementwise, OneByteTooLittleIsRefused) {
  const uint32_t least = 64 * lib::temporary_bytes(Elementwise::Tanh, 4);
  for (const uint32_t bytes : {least, least - 1}) {
    const LaunchStatus status = test::run_kernel([&] {
      const auto src = test::tensor<float>(0, std::vector<float>(100, 1.0f));
      const auto dst = test::tensor<float>(1024, std::vector<float>(100, 0.0f));
      AscendC::LocalTensor<uint8_t> memory(AscendC::TPosition::VECCALC, 65536, bytes);
      AscendC::Tanh(dst, src, memory);
    });
    EXPECT_EQ(status.fault == Fault::None, bytes == least);
    if (bytes != least) {
      EXPECT_NE(status.report.find("Tanh"), std::string::npos) << status.report;
      EXPECT_NE(status.report.find("elementwise_test.cpp"), std::string::npos) << status.report;
    }
  }
}

}  // namespace
}  // namespace toprope
