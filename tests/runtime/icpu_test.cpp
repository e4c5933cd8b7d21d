// The older CPU debug mode: memory that host and kernel share, kernels by name, on the cores that
// SetKernelMode says.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>

#include "tikicpulib.h"

namespace {

std::atomic<int> cubes, vectors;

void add(GM_ADDR x, GM_ADDR z, int by) {
  for (int i = 0; i < 4; ++i) {
    const auto at = AscendC::GetBlockIdx() * 4 + i;
    reinterpret_cast<int*>(z)[at] = reinterpret_cast<int*>(x)[at] + by;
  }
}

void count() {
  if ASCEND_IS_AIC
    ++cubes;
  else
    ++vectors;
}

void key(GM_ADDR z) {
  if (TILING_KEY_IS(10086)) *z = 86;
}

void wrong() {
  AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, 0, 64);
  AscendC::Muls(t, t, 1.0f, 65);
}

TEST(Icpu, RunsAKernelOnSharedMemory) {
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  auto* x = static_cast<uint8_t*>(AscendC::GmAlloc(8 * sizeof(int)));
  auto* z = static_cast<uint8_t*>(AscendC::GmAlloc(8 * sizeof(int)));
  ASSERT_NE(x, nullptr);
  for (int i = 0; i < 8; ++i) reinterpret_cast<int*>(x)[i] = i;
  ICPU_RUN_KF(add, 2, x, z, 5);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(reinterpret_cast<int*>(z)[i], i + 5);
  ICPU_RUN_KF(key, 1, z);
  EXPECT_EQ(z[0], 5);
  ICPU_SET_TILING_KEY(10086);
  ICPU_RUN_KF(key, 1, z);
  EXPECT_EQ(z[0], 86);
  ICPU_SET_TILING_KEY(0);
  AscendC::GmFree(x);
  AscendC::GmFree(z);
}

TEST(Icpu, TheModeSaysWhichCoresRun) {
  const auto run = [](KernelMode mode) {
    cubes = vectors = 0;
    AscendC::SetKernelMode(mode);
    ICPU_RUN_KF(count, 3);
    return std::pair<int, int>(cubes, vectors);
  };
  EXPECT_EQ(run(KernelMode::AIV_MODE), std::pair(0, 3));
  EXPECT_EQ(run(KernelMode::AIC_MODE), std::pair(3, 0));
  EXPECT_EQ(run(KernelMode::MIX_MODE), std::pair(3, 6));
}

TEST(IcpuDeathTest, AKernelThatFailsEndsTheProgram) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  EXPECT_EXIT(ICPU_RUN_KF(wrong, 1), ::testing::ExitedWithCode(1), "Muls: dst ends 4 bytes past its tensor");
}

}  // namespace
