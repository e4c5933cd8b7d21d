// LayerNormGrad and LayerNormGradBeta against the documented formulas in double.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;
using lib::NormRows;

class NormalizeGradient : public BothTargets {};

template <class T>
void check_gradient(const NormRows& n, bool plenty) {
  const double epsilon = 0.0009765625;
  const size_t size = size_t{n.rows} * n.width;
  const auto dy = noise<T>(size, -1, 1, 1), x = noise<T>(size, -3, 3, 2), gamma = noise<T>(n.width, -1, 2, 3),
             mean = noise<T>(n.rows, -0.5, 0.5, 4), variance = noise<T>(n.rows, 2, 4, 5);
  std::vector<double> want_dx, want_res;
  for (uint32_t r = 0; r < n.rows; ++r) {
    const double root = 1 / std::sqrt(static_cast<float>(variance[r]) + epsilon);
    const auto at = [&](const std::vector<T>& v, uint32_t i) {
      return double{static_cast<float>(v[r * n.width + i])};
    };
    const auto distance = [&](uint32_t i) { return at(x, i) - static_cast<float>(mean[r]); };
    const auto scaled = [&](uint32_t i) { return at(dy, i) * static_cast<float>(gamma[i]); };
    double by_variance = 0, by_mean = 0, distances = 0;
    for (uint32_t i = 0; i < n.valid; ++i) {
      by_variance += -0.5 * scaled(i) * distance(i) * root * root * root;
      by_mean += -scaled(i) * root;
      distances += -2 * distance(i);
    }
    by_mean += by_variance * distances / n.valid;
    for (uint32_t i = 0; i < n.valid; ++i) {
      want_dx.push_back(scaled(i) * root + by_variance * 2 / n.valid * distance(i) + by_mean / n.valid);
      want_res.push_back(distance(i) * root);
    }
  }
  const auto valid = [&](const std::vector<T>& v) {
    std::vector<T> kept;
    for (uint32_t r = 0; r < n.rows; ++r)
      kept.insert(kept.end(), v.begin() + r * n.width, v.begin() + r * n.width + n.valid);
    return kept;
  };
  run_clean([&] {
    Arena ub;
    auto dx = ub.zeros<T>(size), res = ub.zeros<T>(size);
    auto dy_in = ub(dy), x_in = ub(x), v = ub(variance), m = ub(mean), g = ub(gamma);
    auto tmp = ub.zeros<uint8_t>(memory::layer_norm_grad(sizeof(T), n, plenty ? n.rows : 1));
    AscendC::tiling::LayerNormGradTiling tiling;
    tiling.bLength = 1, tiling.sLength = n.rows, tiling.hLength = n.width, tiling.originalHLength = n.valid;
    AscendC::LayerNormGrad<T>(dx, res, dy_in, x_in, v, m, g, tmp, T(static_cast<float>(epsilon)), tiling,
                              {AscendC::DataFormat::ND});
    EXPECT_TRUE(ub.untouched());
    expect_same(values(dy_in), dy, "dy is a source");
    expect_same(values(x_in), x, "x is a source");
    const double relative = sizeof(T) == 2 ? 1.0 / 1024 : 5e-6, absolute = sizeof(T) == 2 ? 1e-3 : 5e-6;
    expect_near(valid(values(dx)), want_dx, relative, absolute, "dx");
    expect_near(valid(values(res)), want_res, relative, absolute, "resForGamma");
  });
}

TEST_P(NormalizeGradient, OfX) {
  for (const NormRows& n : {NormRows{1, 64, 64}, {4, 16, 16}, {9, 144, 139}, {2, 528, 513}})
    for (const bool plenty : {false, true}) {
      check_gradient<float>(n, plenty);
      check_gradient<half>(n, plenty);
    }
}

template <class T>
void check_parameters(uint32_t rows, uint32_t width) {
  const auto res = noise<T>(size_t{rows} * width, -1, 1, 1), dy = noise<T>(res.size(), -3, 3, 2);
  std::vector<double> gamma(width), beta(width);
  for (size_t i = 0; i < res.size(); ++i) {
    gamma[i % width] += double{static_cast<float>(res[i])} * static_cast<float>(dy[i]);
    beta[i % width] += static_cast<float>(dy[i]);
  }
  run_clean([&] {
    Arena ub;
    auto g = ub.zeros<T>(width), b = ub.zeros<T>(width), r = ub(res), d = ub(dy);
    auto tmp = ub.zeros<uint8_t>(memory::layer_norm_grad_beta(sizeof(T), width));
    AscendC::tiling::LayerNormGradBetaTiling tiling;
    tiling.bLength = rows, tiling.sLength = 1, tiling.hLength = tiling.originalHLength = width;
    AscendC::LayerNormGradBeta<T>(g, b, r, d, tmp, tiling);
    EXPECT_TRUE(ub.untouched());
    const double relative = sizeof(T) == 2 ? 1.0 / 1024 : 5e-6, absolute = sizeof(T) == 2 ? 1e-3 : 5e-6;
    expect_near(values(g), gamma, relative, absolute, "gamma");
    expect_near(values(b), beta, relative, absolute, "beta");
  });
}

TEST_P(NormalizeGradient, OfGammaAndBeta) {
  for (const uint32_t rows : {1u, 4u, 33u})
    for (const uint32_t width : {16u, 80u, 144u}) {
      check_parameters<float>(rows, width);
      check_parameters<half>(rows, width);
    }
}

INSTANTIATE_TEST_SUITE_P(Simd, NormalizeGradient, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
