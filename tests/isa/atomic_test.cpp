// Copies into GM that add, or keep the larger or smaller value, among the blocks of a launch.
#include <algorithm>
#include <limits>
#include <thread>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

template <class T>
GlobalTensor<T> global(std::vector<T>& v) {
  GlobalTensor<T> g;
  g.SetGlobalBuffer(v.data(), v.size());
  return g;
}

class AtomicTest : public BothTargets {
 protected:
  /// GM after `set` and one copy of `value` over `old`.
  template <class T, class Set>
  T combined(T old, T value, Set set) {
    std::vector<T> gm(67, old);
    const auto status = run_kernel([&] {
      auto t = tensor<T>(0, std::vector<T>(128, value));
      set();
      DataCopyPad(global(gm), t, DataCopyExtParams(1, 67 * sizeof(T), 0, 0, 0));
    });
    EXPECT_EQ(status.report, "");
    for (T x : gm) EXPECT_TRUE(same(x, gm[0]));
    return gm[0];
  }
};

TEST_P(AtomicTest, BlocksAddUp) {  // facts/cases B10
  std::vector<float> gm(64, 10);
  auto status = run_kernel(
      [&] {
        auto t = tensor<float>(0, std::vector<float>(64, 3));
        SetAtomicAdd<float>();
        DataCopy(global(gm), t, 64);
        DisableDmaAtomic();
      },
      4);
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(gm, std::vector<float>(64, 22));
  status = run_kernel([&] {
    auto t = tensor<float>(0, std::vector<float>(64, 3));
    SetAtomicAdd<float>();
    SetAtomicNone();
    DataCopy(global(gm), t, 64);
  });
  EXPECT_EQ(gm, std::vector<float>(64, 3));
}

TEST_P(AtomicTest, NothingIsLostAmongThreads) {
  constexpr int kBlocks = 64, kRounds = 50;
  std::vector<int32_t> gm(4096 + 3, 0);
  const auto status = run_kernel(
      [&] {
        auto t = tensor<int32_t>(0, std::vector<int32_t>(4096 + 3, 1));
        SetAtomicAdd<int32_t>();
        for (int i = 0; i < kRounds; ++i)
          DataCopyPad(global(gm), t, DataCopyExtParams(1, (4096 + 3) * 4, 0, 0, 0));
      },
      kBlocks);
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(std::count(gm.begin(), gm.end(), kBlocks * kRounds), 4096 + 3);
}

TEST_P(AtomicTest,
       EightThreadsCountExactly) {  // facts/cases G15: 8 threads, 10000 additions each, on one line
  std::vector<int32_t> gm(8, 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto status = run_kernel([&] {
        auto one = tensor<int32_t>(0, std::vector<int32_t>(8, 1));
        SetAtomicAdd<int32_t>();
        for (int k = 0; k < 10000; ++k) DataCopy(global(gm), one, 8);
      });
      EXPECT_EQ(status.report, "");
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(gm, std::vector<int32_t>(8, 80000));
}

TEST_P(AtomicTest, EveryTypeAdds) {
  EXPECT_EQ(combined<float>(0.5f, 0.25f, [] { SetAtomicAdd<float>(); }), 0.75f);
  EXPECT_EQ(float(combined<half>(half(2048), half(1), [] { SetAtomicAdd<half>(); })),
            2048);  // a tie, to even
  EXPECT_EQ(float(combined<half>(half(2050), half(1), [] { SetAtomicAdd<half>(); })), 2052);
  EXPECT_EQ(float(combined<bfloat16_t>(bfloat16_t(256), bfloat16_t(1), [] { SetAtomicAdd<bfloat16_t>(); })),
            256);
  EXPECT_EQ(float(combined<bfloat16_t>(bfloat16_t(258), bfloat16_t(1), [] { SetAtomicAdd<bfloat16_t>(); })),
            260);
  EXPECT_EQ(combined<int16_t>(32767, 32767, [] { SetAtomicAdd<int16_t>(); }), -2);
  EXPECT_EQ(combined<int32_t>(7, -9, [] { SetAtomicAdd<int32_t>(); }), -2);
  EXPECT_EQ(combined<int8_t>(100, 27, [] { SetAtomicAdd<int8_t>(); }), 127);
}

TEST_P(AtomicTest, EveryTypeKeepsLargerAndSmaller) {
  auto check = [&]<class T>(T small, T large) {
    EXPECT_TRUE(same(combined<T>(small, large, [] { SetAtomicMax<T>(); }), large));
    EXPECT_TRUE(same(combined<T>(large, small, [] { SetAtomicMax<T>(); }), large));
    EXPECT_TRUE(same(combined<T>(small, large, [] { SetAtomicMin<T>(); }), small));
    EXPECT_TRUE(same(combined<T>(large, small, [] { SetAtomicMin<T>(); }), small));
  };
  check(-1.5f, 2.5f);
  check(half(-1.5f), half(0.25f));
  check(bfloat16_t(-3.0f), bfloat16_t(-2.0f));
  check(bfloat16_t(-0.0f), bfloat16_t(0.0f));
  check(int8_t{-128}, int8_t{127});
  check(int16_t{-5}, int16_t{4});
  check(int32_t{-5}, int32_t{4});
}

TEST_P(AtomicTest, NanWins) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(combined<float>(1, nan, [] { SetAtomicMax<float>(); }),
            combined<float>(1, nan, [] { SetAtomicMax<float>(); }));
  EXPECT_TRUE(same(combined<bfloat16_t>(bfloat16_t(nan), bfloat16_t(1), [] { SetAtomicMin<bfloat16_t>(); }),
                   bfloat16_t(nan)));
}

TEST_P(AtomicTest, EveryFormOfCopyIsAtomic) {
  std::vector<half> gm(256, half(1));
  const auto status = run_kernel([&] {
    auto t = tensor<half>(0, std::vector<half>(256, half(2)));
    SetAtomicAdd<half>();
    DataCopy(global(gm), t, 32);                              // 0 … 31
    DataCopy(global(gm)[32], t, DataCopyParams(2, 1, 0, 1));  // 32 … 47, 64 … 79
    SliceInfo range[] = {{0, 15, 0, 1, 16}};
    DataCopy(global(gm)[96], t, range, range, 1);                          // 96 … 111
    DataCopy(global(gm)[128], t, Nz2NdParamsFull{1, 2, 16, 1, 2, 32, 1});  // 128 … 143, 160 … 175
    DataCopy(t, t[128], 16);                                               // not into GM: plain
    EXPECT_EQ(float(t.GetValue(0)), 2);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 256; ++i) {
    const bool hit = i < 48 || (i >= 64 && i < 80) || (i >= 96 && i < 112) || (i >= 128 && i < 144) ||
                     (i >= 160 && i < 176);
    EXPECT_EQ(float(gm[i]), hit ? 3 : 1) << i;
  }
}

TEST_P(AtomicTest, StateIsReadBackAndEndsWithTheBlock) {
  std::vector<float> gm(64, 10);
  uint16_t type = 9, op = 9, after = 9;
  run_kernel([&] {
    SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>();
    GetStoreAtomicConfig(type, op);
    SetAtomicType<float>();
    DataCopy(global(gm), tensor<float>(0, std::vector<float>(64, 1)), 64);
    SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
    GetStoreAtomicConfig(after, op);
    SetAtomicAdd<float>();
  });
  EXPECT_EQ(type, 2);  // half
  EXPECT_EQ(op, 0);
  EXPECT_EQ(after, 0);
  EXPECT_EQ(gm, std::vector<float>(64, 11));
  run_kernel([&] { DataCopy(global(gm), tensor<float>(0, std::vector<float>(64, 1)), 64); });
  EXPECT_EQ(gm, std::vector<float>(64, 1));
}

TEST_P(AtomicTest, RefusesPartsOfAnElement) {
  std::vector<half> gm(64);
  const auto status = run_kernel([&] {
    auto t = tensor<half>(0, std::vector<half>(64));
    SetAtomicAdd<float>();
    DataCopyPad(global(gm), t, DataCopyExtParams(1, 18, 0, 0, 0));
  });
  EXPECT_NE(status.report.find("blocks of 18 bytes do not hold whole elements"), std::string::npos)
      << status.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, AtomicTest, ::testing::Bool(), target_of);

}  // namespace
