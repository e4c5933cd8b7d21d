// BatchNorm, GroupNorm and Welford's two functions against the documented formulas in double.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;

constexpr double kEpsilon = 0.0009765625;

class NormalizeGroups : public BothTargets {};

double moment(const std::vector<double>& v, double centre, int power) {
  double sum = 0;
  for (const double x : v) sum += std::pow(x - centre, power);
  return sum / static_cast<double>(v.size());
}

template <class T>
void check_batch_norm(uint32_t batch, uint32_t width, uint32_t tile) {
  const auto x = noise<T>(size_t{batch} * width, -4, 8, 1), gamma = noise<T>(batch, -1, 2, 2),
             beta = noise<T>(batch, -1, 1, 3);
  std::vector<double> mean, variance, want(x.size());
  for (uint32_t c = 0; c < width; ++c) {
    std::vector<double> column;
    for (uint32_t b = 0; b < batch; ++b) column.push_back(static_cast<float>(x[b * width + c]));
    mean.push_back(moment(column, 0, 1));
    variance.push_back(moment(column, mean[c], 2));
    for (uint32_t b = 0; b < batch; ++b)
      want[b * width + c] =
          (column[b] - mean[c]) / std::sqrt(variance[c] + kEpsilon) * static_cast<float>(gamma[b]) +
          static_cast<float>(beta[b]);
  }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), m = ub.zeros<T>(width), v = ub.zeros<T>(width);
    auto in = ub(x), g = ub(gamma), b = ub(beta);
    auto tmp = ub.zeros<uint8_t>(memory::batch_norm(sizeof(T), batch, tile));
    AscendC::tiling::BatchNormTiling tiling;
    tiling.originalBLength = batch, tiling.meanVarSize = width;
    AscendC::BatchNorm<T>(y, m, v, in, g, b, tmp, T(static_cast<float>(kEpsilon)), tiling);
    EXPECT_TRUE(ub.untouched());
    expect_same(values(in), x, "the source");
    const double relative = sizeof(T) == 2 ? 1.0 / 1024 : 3e-6, absolute = sizeof(T) == 2 ? 1e-3 : 1e-5;
    expect_near(values(m), mean, relative, 1e-6, "mean");
    expect_near(values(v), variance, relative, 1e-6, "variance");
    expect_near(values(y), want, relative, absolute, "BatchNorm");
  });
}

TEST_P(NormalizeGroups, BatchNorm) {
  for (const uint32_t batch : {1u, 4u, 37u})
    for (const uint32_t width : {16u, 192u, 512u}) {
      for (const uint32_t tile : {64u, 512u}) check_batch_norm<float>(batch, width, tile);
      check_batch_norm<half>(batch, width, 64);
    }
}

template <class T>
void check_group_norm(uint32_t n, uint32_t groups, uint32_t of_group, uint32_t plane) {
  const uint32_t channels = groups * of_group, width = of_group * plane;
  const auto x = noise<T>(size_t{n} * channels * plane, -4, 8, 1), gamma = noise<T>(channels, -1, 2, 2),
             beta = noise<T>(channels, -1, 1, 3);
  std::vector<double> mean, variance, want;
  for (uint32_t g = 0; g < n * groups; ++g) {
    std::vector<double> group;
    for (uint32_t i = 0; i < width; ++i) group.push_back(static_cast<float>(x[g * width + i]));
    mean.push_back(moment(group, 0, 1));
    variance.push_back(moment(group, mean[g], 2));
    for (uint32_t i = 0; i < width; ++i) {
      const uint32_t channel = g % groups * of_group + i / plane;
      want.push_back((group[i] - mean[g]) / std::sqrt(variance[g] + kEpsilon) *
                         static_cast<float>(gamma[channel]) +
                     static_cast<float>(beta[channel]));
    }
  }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), m = ub.zeros<T>(n * groups), v = ub.zeros<T>(n * groups);
    auto in = ub(x), g = ub(gamma), b = ub(beta);
    const lib::NormRows rows{n * groups, width, width};
    auto tmp = ub.zeros<uint8_t>(memory::group_norm(sizeof(T), rows, channels, 1));
    AscendC::tiling::GroupNormTiling tiling;
    tiling.n = n, tiling.c = channels, tiling.hw = plane, tiling.g = groups, tiling.d = of_group;
    AscendC::GroupNorm<T>(y, m, v, in, g, b, tmp, T(static_cast<float>(kEpsilon)), tiling);
    EXPECT_TRUE(ub.untouched());
    const double relative = sizeof(T) == 2 ? 1.0 / 1024 : 3e-6, absolute = sizeof(T) == 2 ? 1e-3 : 1e-5;
    expect_near(values(m), mean, relative, 1e-6, "mean");
    expect_near(values(v), variance, relative, 1e-6, "variance");
    expect_near(values(y), want, relative, absolute, "GroupNorm");
  });
}

TEST_P(NormalizeGroups, GroupNorm) {
  for (const uint32_t plane : {16u, 80u, 144u}) {
    check_group_norm<float>(2, 4, 4, plane);
    check_group_norm<half>(2, 4, 4, plane);
    check_group_norm<float>(1, 3, 1, plane);
    check_group_norm<half>(3, 1, 5, plane);
  }
}

/// One axis of data in parts of 64, the last part shorter: both functions together are mean and variance.
template <class T>
void check_welford(uint32_t updates, uint32_t tail, bool counts) {
  const uint32_t length = 64;
  const uint32_t total = (updates - 1) * length + tail;
  const auto data = noise<T>(size_t{updates} * length, 10, 14, 7);
  std::vector<double> counted;
  for (uint32_t i = 0; i < total; ++i) counted.push_back(static_cast<float>(data[i]));
  const double mean = moment(counted, 0, 1), variance = moment(counted, mean, 2);
  run_clean([&] {
    Arena ub;
    auto means = ub.zeros<float>(length), variances = ub.zeros<float>(length);
    auto x = ub(data);
    auto tmp = ub.zeros<uint8_t>(std::max(memory::welford_update(64), memory::welford_finalize(length)));
    auto out_mean = ub.zeros<float>(8), out_variance = ub.zeros<float>(8);
    static constexpr AscendC::WelfordUpdateConfig kInPlace{true};
    for (uint32_t u = 0; u < updates; ++u)
      AscendC::WelfordUpdate<T, float, false, kInPlace>(
          means, variances, means, variances, x[u * length], tmp,
          {1, length, u + 1 == updates ? tail : length, 1.0f / static_cast<float>(u + 1)});
    AscendC::WelfordFinalizePara para{};
    para.rnLength = updates, para.abLength = length;
    para.abRec = 1.0f / length, para.rRec = 1.0f / static_cast<float>(total);
    para.headCount = updates, para.headCountLength = tail;
    para.tailCount = tail == length ? 0 : updates - 1, para.tailCountLength = length - tail;
    if (counts) {
      std::vector<int32_t> of_each(length, static_cast<int32_t>(updates - 1));
      std::fill_n(of_each.begin(), tail, static_cast<int32_t>(updates));
      auto c = ub(of_each);
      AscendC::WelfordFinalize(out_mean, out_variance, means, variances, c, tmp, para);
    } else {
      AscendC::WelfordFinalize(out_mean, out_variance, means, variances, tmp, para);
    }
    EXPECT_TRUE(ub.untouched());
    EXPECT_NEAR(out_mean.GetValue(0), mean, 2e-5);
    EXPECT_NEAR(out_variance.GetValue(0), variance, 2e-5);
    EXPECT_EQ(out_mean.GetValue(1), 0) << "only one element is written";
  });
}

TEST_P(NormalizeGroups, Welford) {
  for (const bool counts : {false, true}) {
    check_welford<float>(5, 64, counts);
    check_welford<float>(5, 24, counts);
    check_welford<half>(3, 32, counts);
    check_welford<half>(2, 64, counts);
  }
}

TEST_P(NormalizeGroups, WelfordUpdateTouchesOnlyWhatItComputes) {
  run_clean([&] {
    Arena ub;
    auto mean = ub(std::vector<float>(64, 7)), variance = ub(std::vector<float>(64, 8));
    auto old_mean = ub(std::vector<float>(64, 1)), old_variance = ub(std::vector<float>(64, 2));
    auto x = ub(std::vector<float>(64, 5));
    auto tmp = ub.zeros<uint8_t>(memory::welford_update(64));
    AscendC::WelfordUpdate<float, float>(mean, variance, old_mean, old_variance, x, tmp, {1, 64, 24, 0.25f});
    for (uint32_t i = 0; i < 64; ++i) {  // 1 + 4 / 4; 2 + 4 * 3
      EXPECT_EQ(mean.GetValue(i), i < 24 ? 2 : 7);
      EXPECT_EQ(variance.GetValue(i), i < 24 ? 14 : 8);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Simd, NormalizeGroups, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
