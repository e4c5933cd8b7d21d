// What hosts are told about normalisation: the minimum is enough and no byte too many, shapes arrive in the
// kernel's struct, and what the pages exclude is refused.
#include "support/arena.h"
#include "tiling/tiling_api.h"

namespace toprope::test {
namespace {

using AscendC::TensorShape;

/// `run(tmp)` calls the function with `tmp` bytes of temporary memory.
template <class Run>
void expect_minimum(uint32_t least, Run run) {
  EXPECT_EQ(least % 32, 0u);
  const auto with = [&](uint32_t bytes) {
    return run_kernel([&] {
      Arena ub;
      auto tmp = ub.zeros<uint8_t>(bytes);
      run(ub, tmp);
      EXPECT_TRUE(ub.untouched());
    });
  };
  const LaunchStatus enough = with(least);
  EXPECT_EQ(enough.fault, Fault::None) << enough.report;
  EXPECT_NE(with(least - 32).fault, Fault::None) << "32 bytes less than " << least << " suffice too";
}

/// A host's tiling as its kernel reads it.
template <class Kernel, class Host>
Kernel received(Host& host) {
  Kernel k;
  EXPECT_EQ(host.GetDataSize(), sizeof k);
  host.SaveToBuffer(&k, sizeof k);
  return k;
}

TEST(TilingOfNormalization, LayerNorm) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({2, 8, 64, 50});
  AscendC::GetLayerNormMaxMinTmpSize(shape, 2, false, most, least);
  EXPECT_GT(most, least);
  optiling::LayerNormTiling host;
  AscendC::GetLayerNormNDTilingInfo(shape, least, 2, false, host);
  const auto tiling = received<AscendC::tiling::LayerNormTiling>(host);
  EXPECT_EQ(tiling.bLength, 2u);
  EXPECT_EQ(tiling.sLength, 8u);
  EXPECT_EQ(tiling.hLength, 64u);
  EXPECT_EQ(tiling.originalHLength, 50u);
  EXPECT_EQ(tiling.lastDimValueBack, 1.0f / 50);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<half>(1024), m = ub.zeros<half>(16), v = ub.zeros<half>(16), x = ub.zeros<half>(1024),
         g = ub.zeros<half>(64), b = ub.zeros<half>(64);
    AscendC::LayerNorm(y, m, v, x, g, b, tmp, half(1.0f), tiling);
  });
  AscendC::tiling::LayerNormTiling plain;
  AscendC::GetLayerNormNDTilingInfo(shape, least, 2, false, plain);
  EXPECT_EQ(std::memcmp(&plain, &tiling, sizeof plain), 0) << "both structs get the same";
}

TEST(TilingOfNormalization, LayerNormWithRstd) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({6, 50});
  AscendC::GetLayerNormMaxMinTmpSize(shape, 4, false, true, false, most, least);
  EXPECT_GT(most, least);
  AscendC::tiling::LayerNormSeparateTiling tiling;
  AscendC::GetLayerNormNDTilingInfo(shape, least, 4, false, true, tiling);
  EXPECT_EQ(tiling.aLength, 6u);
  EXPECT_EQ(tiling.rLength, 50u);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(6 * 56), m = ub.zeros<float>(6), r = ub.zeros<float>(6),
         x = ub.zeros<float>(6 * 56), g = ub.zeros<float>(50), b = ub.zeros<float>(50);
    AscendC::LayerNorm<float, float>(y, m, r, x, g, b, 1.0f, tmp, {6, 50, 56}, tiling);
  });
}

TEST(TilingOfNormalization, LayerNormGradAndBeta) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({2, 4, 32, 30});
  AscendC::GetLayerNormGradMaxMinTmpSize(shape, 2, false, most, least);
  EXPECT_GT(most, least);
  optiling::LayerNormGradTiling host;
  AscendC::GetLayerNormGradNDTilingInfo(shape, least, 2, false, host);
  const auto tiling = received<AscendC::tiling::LayerNormGradTiling>(host);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto dx = ub.zeros<half>(256), res = ub.zeros<half>(256), dy = ub.zeros<half>(256),
         x = ub.zeros<half>(256), v = ub.zeros<half>(8), m = ub.zeros<half>(8), g = ub.zeros<half>(32);
    AscendC::LayerNormGrad(dx, res, dy, x, v, m, g, tmp, half(1.0f), tiling);
  });
  AscendC::GetLayerNormGradBetaMaxMinTmpSize(shape, 2, false, most, least);
  optiling::LayerNormGradBetaTiling beta_host;
  AscendC::GetLayerNormGradBetaNDTilingInfo(shape, least, 2, false, beta_host);
  const auto beta_tiling = received<AscendC::tiling::LayerNormGradBetaTiling>(beta_host);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto g = ub.zeros<half>(32), b = ub.zeros<half>(32), res = ub.zeros<half>(256), dy = ub.zeros<half>(256);
    AscendC::LayerNormGradBeta(g, b, res, dy, tmp, beta_tiling);
  });
}

TEST(TilingOfNormalization, RmsNorm) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({1, 8, 64}), origin({1, 8, 50});
  ASSERT_TRUE(AscendC::GetRmsNormMaxMinTmpSize(shape, 4, most, least));
  optiling::RmsNormTiling host;
  ASSERT_TRUE(AscendC::GetRmsNormTilingInfo(shape, origin, least, 4, host));
  const auto tiling = received<AscendC::tiling::RmsNormTiling>(host);
  EXPECT_EQ(tiling.originalHLength, 50u);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(512), x = ub.zeros<float>(512), g = ub.zeros<float>(64);
    AscendC::RmsNorm(y, x, g, tmp, 1.0f, tiling);
  });
  EXPECT_FALSE(AscendC::GetRmsNormTilingInfo(shape, origin, least - 32, 4, host)) << "too little memory";
  EXPECT_FALSE(AscendC::GetRmsNormTilingInfo(shape, origin, least, 4, host, true))
      << "a basic block is not padded";
  EXPECT_FALSE(AscendC::GetRmsNormMaxMinTmpSize(TensorShape({1, 7, 64}), 4, most, least, true));
  EXPECT_TRUE(AscendC::GetRmsNormMaxMinTmpSize(TensorShape({1, 8, 64}), 4, most, least, true));
}

TEST(TilingOfNormalization, DeepNorm) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({1, 8, 64}), origin({1, 8, 50});
  ASSERT_TRUE(AscendC::GetDeepNormMaxMinTmpSize(shape, 4, false, false, most, least));
  optiling::DeepNormTiling host;
  ASSERT_TRUE(AscendC::GetDeepNormTilingInfo(shape, origin, least, 4, false, false, host));
  const auto tiling = received<AscendC::tiling::DeepNormTiling>(host);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(512), x = ub.zeros<float>(512), gx = ub.zeros<float>(512),
         g = ub.zeros<float>(64), b = ub.zeros<float>(64), m = ub.zeros<float>(8), v = ub.zeros<float>(8);
    AscendC::DeepNorm(y, m, v, x, gx, b, g, tmp, 1.0f, 1.0f, tiling);
  });
  EXPECT_FALSE(AscendC::GetDeepNormMaxMinTmpSize(TensorShape({1, 8, 2048}), 4, false, false, most, least))
      << "rows of more than 2040 elements";
  EXPECT_FALSE(AscendC::GetDeepNormTilingInfo(shape, TensorShape({1, 8, 65}), least, 4, false, false, host));
}

TEST(TilingOfNormalization, BatchNorm) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({16, 4, 64}), origin({10, 4, 64});
  ASSERT_TRUE(AscendC::GetBatchNormMaxMinTmpSize(shape, origin, 4, false, most, least));
  EXPECT_GT(most, least);
  optiling::BatchNormTiling host;
  ASSERT_TRUE(AscendC::GetBatchNormNDTilingInfo(shape, origin, least, 4, false, host));
  const auto tiling = received<AscendC::tiling::BatchNormTiling>(host);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(4096), x = ub.zeros<float>(4096), g = ub.zeros<float>(16),
         b = ub.zeros<float>(16), m = ub.zeros<float>(256), v = ub.zeros<float>(256);
    AscendC::BatchNorm(y, m, v, x, g, b, tmp, 1.0f, tiling);
  });
  EXPECT_FALSE(AscendC::GetBatchNormMaxMinTmpSize(TensorShape({4, 3, 3}), TensorShape({4, 3, 3}), 4, false,
                                                  most, least))
      << "planes are multiples of 32 bytes";
}

TEST(TilingOfNormalization, GroupNorm) {
  uint32_t most = 0, least = 0;
  const TensorShape shape({2, 16, 8, 8});
  AscendC::GetGroupNormMaxMinTmpSize(shape, 4, false, 4, most, least);
  EXPECT_GT(most, least);
  optiling::GroupNormTiling host;
  AscendC::GetGroupNormNDTilingInfo(shape, least, 4, false, 4, host);
  EXPECT_EQ(host.get_d(), 4u);
  AscendC::tiling::GroupNormTiling tiling;
  AscendC::GetGroupNormNDTilingInfo(shape, least, 4, false, 4, tiling);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(2048), x = ub.zeros<float>(2048), g = ub.zeros<float>(16),
         b = ub.zeros<float>(16), m = ub.zeros<float>(8), v = ub.zeros<float>(8);
    AscendC::GroupNorm(y, m, v, x, g, b, tmp, 1.0f, tiling);
  });
}

TEST(TilingOfNormalization, Welford) {
  uint32_t most = 0, least = 0;
  AscendC::GetWelfordUpdateMaxMinTmpSize(TensorShape({1, 640}), 2, 4, false, true, most, least);
  EXPECT_GT(most, least);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto m = ub.zeros<float>(640), v = ub.zeros<float>(640);
    auto x = ub.zeros<half>(640);
    AscendC::WelfordUpdate<half, float>(m, v, m, v, x, tmp, {1, 640, 640, 1.0f});
  });
  AscendC::GetWelfordFinalizeMaxMinTmpSize(TensorShape({64}), 4, false, most, least);
  expect_minimum(least, [&](Arena& ub, auto& tmp) {
    auto m = ub.zeros<float>(8), v = ub.zeros<float>(8), means = ub.zeros<float>(64),
         variances = ub.zeros<float>(64);
    AscendC::WelfordFinalizePara para{};
    para.rnLength = 2, para.abLength = 64, para.abRec = 1.0f / 64, para.rRec = 1.0f / 128;
    AscendC::WelfordFinalize(m, v, means, variances, tmp, para);
  });
}

}  // namespace
}  // namespace toprope::test
