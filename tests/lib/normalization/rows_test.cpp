// LayerNorm and its kin, over rows: against the documented formulas in double, in the least temporary memory
// and in plenty.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;
using AscendC::LayerNormPara;
using lib::NormRows;

constexpr double kEpsilon = 0.0009765625;  // exact in half

/// Bounds for float arithmetic and, for half, its final rounding.
template <class T>
constexpr double relative() {
  return sizeof(T) == 2 ? 1.0 / 1024 : 3e-6;
}

struct Moments {
  std::vector<double> mean, variance;
};

template <class T>
Moments moments(const std::vector<T>& x, const NormRows& n) {
  Moments m;
  for (uint32_t r = 0; r < n.rows; ++r) {
    double sum = 0, square = 0;
    for (uint32_t i = 0; i < n.valid; ++i) sum += static_cast<float>(x[r * n.width + i]);
    m.mean.push_back(sum / n.valid);
    for (uint32_t i = 0; i < n.valid; ++i)
      square += std::pow(static_cast<float>(x[r * n.width + i]) - m.mean[r], 2);
    m.variance.push_back(square / n.valid);
  }
  return m;
}

/// (x - mean) / sqrt(variance + epsilon) * gamma + beta of the valid elements; parameters may be empty.
template <class T, class U>
std::vector<double> normalized(const std::vector<T>& x, const Moments& m, const std::vector<U>& gamma,
                               const std::vector<U>& beta, const NormRows& n) {
  std::vector<double> y;
  for (uint32_t r = 0; r < n.rows; ++r)
    for (uint32_t i = 0; i < n.valid; ++i) {
      double v = (static_cast<float>(x[r * n.width + i]) - m.mean[r]) / std::sqrt(m.variance[r] + kEpsilon);
      if (!gamma.empty()) v *= static_cast<float>(gamma[i]);
      if (!beta.empty()) v += static_cast<float>(beta[i]);
      y.push_back(v);
    }
  return y;
}

template <class T>
std::vector<T> valid(const std::vector<T>& x, const NormRows& n) {
  std::vector<T> v;
  for (uint32_t r = 0; r < n.rows; ++r)
    v.insert(v.end(), x.begin() + r * n.width, x.begin() + r * n.width + n.valid);
  return v;
}

template <class Tiling>
Tiling tiling_of(const NormRows& n) {
  Tiling t;
  t.bLength = 1, t.sLength = n.rows, t.hLength = n.width, t.originalHLength = n.valid;
  return t;
}

/// One row, several rows, a width beyond a repeat and beyond 255 repeats' reach, padded rows.
const NormRows kShapes[] = {{1, 64, 64},     {5, 16, 16}, {3, 144, 139},
                            {2, 1040, 1029}, {9, 32, 17}, {70, 16, 16}};

class NormalizeRows : public BothTargets {};

template <class T>
void check_layer_norm(const NormRows& n, bool plenty) {
  const auto x = noise<T>(size_t{n.rows} * n.width, -4, 8, 1), gamma = noise<T>(n.width, -1, 2, 2),
             beta = noise<T>(n.width, -1, 1, 3);
  const std::string what =
      "LayerNorm of " + std::to_string(n.rows) + " rows, " + std::to_string(sizeof(T)) + " bytes";
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), mean = ub.zeros<T>(n.rows), variance = ub.zeros<T>(n.rows);
    auto in = ub(x), g = ub(gamma), b = ub(beta);
    auto tmp = ub.zeros<uint8_t>(memory::layer_norm(sizeof(T), n, plenty ? n.rows : 1));
    AscendC::LayerNorm<T>(y, mean, variance, in, g, b, tmp, T(static_cast<float>(kEpsilon)),
                          tiling_of<AscendC::tiling::LayerNormTiling>(n));
    EXPECT_TRUE(ub.untouched()) << what;
    expect_same(values(in), x, what + ": the source");
    const Moments m = moments(x, n);
    expect_near(values(mean), m.mean, relative<T>(), 1e-6, what + ": mean");
    expect_near(values(variance), m.variance, relative<T>(), 1e-6, what + ": variance");
    expect_near(valid(values(y), n), normalized(x, m, gamma, beta, n), relative<T>(),
                sizeof(T) == 2 ? 1e-3 : 1e-5, what);
  });
}

TEST_P(NormalizeRows, LayerNorm) {
  for (const NormRows& n : kShapes)
    for (const bool plenty : {false, true}) {
      check_layer_norm<float>(n, plenty);
      check_layer_norm<half>(n, plenty);
    }
}

template <class U, class T, const AscendC::LayerNormConfig& config>
void check_rstd(const NormRows& n) {
  const auto x = noise<T>(size_t{n.rows} * n.width, -4, 8, 1);
  const auto gamma = noise<U>(n.width, -1, 2, 2), beta = noise<U>(n.width, -1, 1, 3);
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size());
    auto mean = ub.zeros<float>(n.rows), rstd = ub.zeros<float>(n.rows);
    auto in = ub(x);
    auto g = ub(gamma), b = ub(beta);
    auto tmp = ub.zeros<uint8_t>(memory::layer_norm_rstd(sizeof(T), n, 1));
    AscendC::LayerNorm<U, T, false, config>(y, mean, rstd, in, g, b, static_cast<float>(kEpsilon), tmp,
                                            LayerNormPara{n.rows, n.valid, n.width},
                                            AscendC::tiling::LayerNormSeparateTiling{});
    EXPECT_TRUE(ub.untouched());
    const Moments m = moments(x, n);
    std::vector<double> reciprocal;
    for (const double v : m.variance) reciprocal.push_back(1 / std::sqrt(v + kEpsilon));
    expect_near(values(mean), m.mean, 3e-6, 1e-6, "mean");
    expect_near(values(rstd), reciprocal, 3e-6, 0, "rstd");
    expect_near(valid(values(y), n),
                normalized(x, m, config.isNoGamma ? std::vector<U>{} : gamma,
                           config.isNoBeta ? std::vector<U>{} : beta, n),
                relative<T>(), sizeof(T) == 2 ? 1e-3 : 1e-5, "LayerNorm with rstd");
  });
}

TEST_P(NormalizeRows, LayerNormWithRstd) {
  for (const NormRows& n : kShapes) {
    check_rstd<float, float, AscendC::LNCFG_NORM>(n);
    check_rstd<float, half, AscendC::LNCFG_NORM>(n);
    check_rstd<half, half, AscendC::LNCFG_NOBETA>(n);
    check_rstd<float, float, AscendC::LNCFG_NOGAMMA>(n);
    check_rstd<float, half, AscendC::LNCFG_NOOPT>(n);
  }
}

template <class U, class T>
void check_normalize(const NormRows& n) {
  const auto x = noise<T>(size_t{n.rows} * n.width, -4, 8, 1);
  const auto gamma = noise<U>(n.width, -1, 2, 2), beta = noise<U>(n.width, -1, 1, 3);
  Moments given;  // not those of x: Normalize must use what it is given
  std::vector<float> means = noise<float>(n.rows, -1, 1, 4), variances = noise<float>(n.rows, 1, 4, 5);
  given.mean.assign(means.begin(), means.end());
  given.variance.assign(variances.begin(), variances.end());
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size());
    auto rstd = ub.zeros<float>(n.rows), mean = ub(means), variance = ub(variances);
    auto in = ub(x);
    auto g = ub(gamma), b = ub(beta);
    auto tmp = ub.zeros<uint8_t>(memory::normalize(sizeof(T), n, 1));
    AscendC::Normalize<U, T>(y, rstd, mean, variance, in, g, b, tmp, static_cast<float>(kEpsilon),
                             AscendC::NormalizePara{n.rows, n.valid, n.width});
    EXPECT_TRUE(ub.untouched());
    expect_same(values(variance), variances, "variance is a source");
    std::vector<double> reciprocal;
    for (const double v : given.variance) reciprocal.push_back(1 / std::sqrt(v + kEpsilon));
    expect_near(values(rstd), reciprocal, 3e-6, 0, "rstd");
    expect_near(valid(values(y), n), normalized(x, given, gamma, beta, n), relative<T>(),
                sizeof(T) == 2 ? 1e-3 : 1e-5, "Normalize");
  });
}

TEST_P(NormalizeRows, Normalize) {
  for (const NormRows& n : kShapes) {
    check_normalize<float, float>(n);
    check_normalize<half, half>(n);
    check_normalize<float, half>(n);
  }
}

template <class T>
void check_rms_norm(const NormRows& n, bool plenty) {
  const auto x = noise<T>(size_t{n.rows} * n.width, -4, 8, 1), gamma = noise<T>(n.width, -1, 2, 2);
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), in = ub(x), g = ub(gamma);
    auto tmp = ub.zeros<uint8_t>(memory::rms_norm(sizeof(T), n, plenty ? n.rows : 1));
    AscendC::RmsNorm<T>(y, in, g, tmp, T(static_cast<float>(kEpsilon)),
                        tiling_of<AscendC::tiling::RmsNormTiling>(n));
    EXPECT_TRUE(ub.untouched());
    std::vector<double> want;
    for (uint32_t r = 0; r < n.rows; ++r) {
      double squares = 0;
      for (uint32_t i = 0; i < n.valid; ++i) squares += std::pow(static_cast<float>(x[r * n.width + i]), 2);
      for (uint32_t i = 0; i < n.valid; ++i)
        want.push_back(static_cast<float>(x[r * n.width + i]) / std::sqrt(squares / n.valid + kEpsilon) *
                       static_cast<float>(gamma[i]));
    }
    expect_near(valid(values(y), n), want, relative<T>(), sizeof(T) == 2 ? 1e-4 : 1e-6, "RmsNorm");
  });
}

TEST_P(NormalizeRows, RmsNorm) {
  for (const NormRows& n : kShapes)
    for (const bool plenty : {false, true}) {
      check_rms_norm<float>(n, plenty);
      check_rms_norm<half>(n, plenty);
    }
}

template <class T>
void check_deep_norm(const NormRows& n) {
  const auto x = noise<T>(size_t{n.rows} * n.width, -4, 8, 1), gx = noise<T>(x.size(), -2, 2, 6),
             gamma = noise<T>(n.width, -1, 2, 2), beta = noise<T>(n.width, -1, 1, 3);
  const float alpha = 0.75f;
  std::vector<double> sum;
  for (size_t i = 0; i < x.size(); ++i)
    sum.push_back(double{alpha} * static_cast<float>(x[i]) + static_cast<float>(gx[i]));
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), mean = ub.zeros<T>(n.rows), variance = ub.zeros<T>(n.rows);
    auto in = ub(x), residual = ub(gx), g = ub(gamma), b = ub(beta);
    auto tmp = ub.zeros<uint8_t>(memory::layer_norm(sizeof(T), n, 1));
    AscendC::DeepNorm<T>(y, mean, variance, in, residual, b, g, tmp, T(alpha),
                         T(static_cast<float>(kEpsilon)), tiling_of<AscendC::tiling::DeepNormTiling>(n));
    EXPECT_TRUE(ub.untouched());
    std::vector<float> exact(sum.begin(), sum.end());
    const Moments m = moments(exact, n);
    expect_near(values(mean), m.mean, relative<T>(), sizeof(T) == 2 ? 1e-3 : 1e-6, "mean");
    expect_near(values(variance), m.variance, relative<T>(), 1e-6, "variance");
    expect_near(valid(values(y), n), normalized(exact, m, gamma, beta, n), relative<T>(),
                sizeof(T) == 2 ? 2e-3 : 1e-5, "DeepNorm");
  });
}

TEST_P(NormalizeRows, DeepNorm) {
  for (const NormRows& n : kShapes) {
    check_deep_norm<float>(n);
    check_deep_norm<half>(n);
  }
}

TEST_P(NormalizeRows, TooLittleMemoryIsRefused) {
  const NormRows n{2, 64, 64};
  const LaunchStatus status = run_kernel([&] {
    Arena ub;
    auto y = ub.zeros<float>(128), x = ub.zeros<float>(128), g = ub.zeros<float>(64);
    auto tmp = ub.zeros<uint8_t>(memory::rms_norm(4, n, 1) - 32);
    AscendC::RmsNorm<float>(y, x, g, tmp, 1e-5f, tiling_of<AscendC::tiling::RmsNormTiling>(n));
  });
  EXPECT_NE(status.fault, Fault::None);
  EXPECT_NE(status.report.find("RmsNorm"), std::string::npos) << status.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, NormalizeRows, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
