// What hosts are told about quantisation, reductions and filters: kernels run in the least memory.
#include "support/arena.h"
#include "tiling/tiling_api.h"

namespace toprope::test {
namespace {

using AscendC::TensorShape;

template <class Run>
void expect_enough(uint32_t least, uint32_t most, Run run) {
  EXPECT_GT(least, 0u);
  EXPECT_LE(least, most);
  for (const uint32_t bytes : {least, most})
    run_clean([&] {
      Arena ub;
      auto tmp = ub.zeros<uint8_t>(bytes);
      run(ub, tmp);
      EXPECT_TRUE(ub.untouched());
    });
}

TEST(TilingSizes, Quantization) {
  uint32_t most = 0, least = 0;
  AscendC::GetAscendQuantMaxMinTmpSize(TensorShape({8, 128}), 4, most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto q = ub.zeros<int8_t>(1024);
    auto x = ub.zeros<float>(1024), s = ub.zeros<float>(128);
    AscendC::AscendQuant(q, x, tmp, s, s, 128, 128, 1024);
  });
  AscendC::GetAscendDequantMaxMinTmpSize(TensorShape({8, 136}), 2, most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto y = ub.zeros<half>(8 * 144);
    auto q = ub.zeros<int32_t>(8 * 136);
    auto s = ub.zeros<uint64_t>(136);
    AscendC::AscendDequant(y, q, s, tmp, {8, 136, 136});
  });
  for (const bool transposed : {false, true}) {
    const TensorShape parameters = transposed ? TensorShape({64, 2}) : TensorShape({4, 128});
    AscendC::GetAscendAntiQuantMaxMinTmpSize(TensorShape({64, 128}), parameters, transposed, ge::DT_INT8,
                                             ge::DT_BF16, most, least);
    expect_enough(least, most, [&](Arena& ub, auto& tmp) {
      auto y = ub.zeros<bfloat16_t>(8192), s = ub.zeros<bfloat16_t>(512);
      auto q = ub.zeros<int8_t>(8192);
      if (transposed)
        AscendC::AscendAntiQuant<int8_t, bfloat16_t, true>(y, q, s, s, tmp, 128, {64, 2, 64, 2});
      else
        AscendC::AscendAntiQuant<int8_t, bfloat16_t, false>(y, q, s, s, tmp, 64, {4, 128, 4, 128});
    });
  }
}

TEST(TilingSizes, Reductions) {
  uint32_t most = 0, least = 0;
  AscendC::GetMeanMaxMinTmpSize(139, 2, 4, false, most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto y = ub.zeros<half>(3), x = ub.zeros<half>(3 * 144);
    AscendC::Mean<half, float>(y, x, tmp, {3, 144, 139});
  });
  AscendC::GetReduceXorSumMaxMinTmpSize(TensorShape({500}), 2, false, most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto y = ub.zeros<int16_t>(16), x = ub.zeros<int16_t>(500);
    AscendC::ReduceXorSum(y, x, x, tmp, 500);
  });
  const uint32_t shape[] = {20, 60};
  for (const auto pattern : {AscendC::ReducePattern::AR, AscendC::ReducePattern::RA}) {
    AscendC::GetReduceProdMaxMinTmpSize(TensorShape({20, 60}), ge::DT_FLOAT, pattern, true, false, most,
                                        least);
    expect_enough(least, most, [&](Arena& ub, auto& tmp) {
      auto y = ub.zeros<float>(64), x = ub.zeros<float>(20 * 64);
      if (pattern == AscendC::ReducePattern::AR)
        AscendC::ReduceProd<float, AscendC::Pattern::Reduce::AR>(y, x, tmp, shape, true);
      else
        AscendC::ReduceProd<float, AscendC::Pattern::Reduce::RA>(y, x, tmp, shape, true);
    });
    AscendC::GetReduceAnyMaxMinTmpSize(TensorShape({20, 60}), ge::DT_UINT8, pattern, true, false, most,
                                       least);
    expect_enough(least, most, [&](Arena& ub, auto& tmp) {
      auto y = ub.zeros<uint8_t>(64), x = ub.zeros<uint8_t>(20 * 64);
      if (pattern == AscendC::ReducePattern::AR)
        AscendC::ReduceAny<uint8_t, AscendC::Pattern::Reduce::AR>(y, x, tmp, shape, true);
      else
        AscendC::ReduceAny<uint8_t, AscendC::Pattern::Reduce::RA>(y, x, tmp, shape, true);
    });
  }
}

TEST(TilingSizes, Filters) {
  uint32_t most = 0, least = 0;
  AscendC::GetDropOutMaxMinTmpSize(TensorShape({4, 480}), 2, false, most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto y = ub.zeros<half>(1920), x = ub.zeros<half>(1920);
    auto mask = ub.zeros<uint8_t>(1920);
    AscendC::DropOut(y, x, mask, tmp, 0.5f, {4, 480, 480});
  });
  AscendC::GetSelectMaxMinTmpSize(TensorShape({4, 480}), TensorShape({1}), 4, TensorShape({4, 480}), 4, false,
                                  most, least);
  expect_enough(least, most, [](Arena& ub, auto& tmp) {
    auto y = ub.zeros<float>(1920), x = ub.zeros<float>(1920);
    auto mask = ub.zeros<int32_t>(1920);
    AscendC::Select(y, x, 1.0f, mask, tmp, {4, 480, 480});
  });
}

}  // namespace
}  // namespace toprope::test
