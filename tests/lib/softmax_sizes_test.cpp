// Temporary memory and tilings of the softmax family, as hosts are told, against what its functions take.
#include "support/kernel.h"
#include "tiling/tiling_api.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::TensorShape;
using toprope::Fault;

template <class T, class Body>
Fault fault_with(uint32_t bytes, uint32_t rows, uint32_t columns, Body body) {
  return run_kernel([&] {
           const std::vector<T> ones(rows * columns, T(1.0f)), values(rows * 32 / sizeof(T), T(1.0f));
           const auto x = tensor(0, ones);
           const auto at = static_cast<uint32_t>(ones.size() * sizeof(T));
           const auto a = tensor(at, values), b = tensor(at + rows * 32, values);
           body(x, a, b, LocalTensor<uint8_t>(AscendC::TPosition::VECCALC, at + rows * 64, bytes),
                AscendC::SoftMaxShapeInfo(rows, columns, rows, columns));
         })
      .fault;
}

TEST(SoftMaxSizes, TheMinimumIsEnough) {
  const SoftMaxTiling tiling;
  for (const auto& [rows, columns] : {std::pair{1u, 64u}, {8u, 64u}, {20u, 512u}, {3u, 4096u}}) {
    const TensorShape shape({rows, columns});
    EXPECT_EQ(fault_with<half>(AscendC::GetSoftMaxMinTmpSize(shape, 2, false), rows, columns,
                               [&](auto x, auto a, auto b, auto m, auto s) {
                                 AscendC::SoftMax<half>(x, a, b, x, m, tiling, s);
                               }),
              Fault::None);
    EXPECT_EQ(fault_with<half>(AscendC::GetSoftMaxGradMinTmpSize(shape, 2, false, false), rows, columns,
                               [&](auto x, auto, auto, auto m, auto s) {
                                 AscendC::SoftmaxGrad<half>(x, x, x, m, tiling, false, s);
                               }),
              Fault::None);
    EXPECT_EQ(fault_with<float>(AscendC::GetSoftMaxFlashV2MinTmpSize(shape, 4, 4, true), rows, columns,
                                [&](auto x, auto a, auto b, auto m, auto s) {
                                  AscendC::SoftmaxFlashV2<float, true>(x, a, b, x, a, a, b, m, tiling, s);
                                }),
              Fault::None);
  }
}

TEST(SoftMaxTiling, CoversEveryRowOnce) {
  optiling::SoftMaxTiling host;
  AscendC::SoftMaxTilingFunc(TensorShape({4, 80, 64}), 2, 16384, host);
  EXPECT_EQ(host.get_srcM(), 320u);
  EXPECT_EQ(host.get_srcK(), 64u);
  EXPECT_EQ(host.get_outMaxK(), 16u);
  EXPECT_EQ(host.get_rangeM() * host.get_splitM() + host.get_tailM(), 320u);
  EXPECT_LE(toprope::lib::softmax_bytes(host.get_splitM(), 64, 1), 16384u);
  AscendC::tiling::SoftMaxTiling kernel;
  AscendC::SoftMaxTilingFunc(TensorShape({4, 80, 64}), 2, 16384, kernel);
  std::vector<uint8_t> bytes(host.GetDataSize());
  host.SaveToBuffer(bytes.data(), bytes.size());
  ASSERT_EQ(bytes.size(), sizeof kernel);
  EXPECT_EQ(std::memcmp(bytes.data(), &kernel, sizeof kernel), 0);
}

TEST(SoftMaxTiling, BasicBlocksAsThePageSays) {
  SoftMaxTiling t;
  t.srcM = t.splitM = 8, t.srcK = 128;
  EXPECT_TRUE(AscendC::IsBasicBlockInSoftMax(t, 2));
  t.srcK = 64;
  EXPECT_FALSE(AscendC::IsBasicBlockInSoftMax(t, 2));
  EXPECT_TRUE(AscendC::IsBasicBlockInSoftMax(t, 4));
  t.srcK = 2048;
  EXPECT_FALSE(AscendC::IsBasicBlockInSoftMax(t, 4));
  t.srcK = 96, t.srcM = 12;
  EXPECT_FALSE(AscendC::IsBasicBlockInSoftMax(t, 4));
}

}  // namespace
