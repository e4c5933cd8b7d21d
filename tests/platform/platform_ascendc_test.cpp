// Values are those of spec/soc.tsv, whose rows name their documents.
#include "tiling/platform/platform_ascendc.h"

#include <gtest/gtest.h>

using namespace platform_ascendc;

namespace {

uint64_t size(const PlatformAscendC& platform, CoreMemType type) {
  uint64_t bytes = ~uint64_t{0};
  platform.GetCoreMemSize(type, bytes);
  return bytes;
}

TEST(PlatformAscendC, DescribesTheDefaultChip) {
  const PlatformAscendC platform(nullptr);  // Ascend910B3
  EXPECT_EQ(platform.GetCoreNumAic(), 20u);
  EXPECT_EQ(platform.GetCoreNumAiv(), 40u);
  EXPECT_EQ(platform.GetCoreNum(), 40u);
  EXPECT_EQ(platform.GetCoreNumVector(), 0u);
  EXPECT_EQ(platform.GetSocVersion(), SocVersion::ASCEND910B);
  EXPECT_EQ(platform.GetCurNpuArch(), NpuArch::DAV_2201);
  EXPECT_EQ(platform.GetVecRegLen(), 0u);
  EXPECT_EQ(platform.GetLibApiWorkSpaceSize(), 16u << 20);
  EXPECT_EQ(platform.GetResGroupBarrierWorkSpaceSize(), 40u * 512);
}

TEST(PlatformAscendC, KnowsEveryMemory) {
  const PlatformAscendC platform(nullptr);
  EXPECT_EQ(size(platform, CoreMemType::UB), 192u << 10);
  EXPECT_EQ(size(platform, CoreMemType::L1), 512u << 10);
  EXPECT_EQ(size(platform, CoreMemType::L0_A), 64u << 10);
  EXPECT_EQ(size(platform, CoreMemType::L0_B), 64u << 10);
  EXPECT_EQ(size(platform, CoreMemType::L0_C), 128u << 10);
  EXPECT_EQ(size(platform, CoreMemType::BT), 1024u);
  EXPECT_EQ(size(platform, CoreMemType::FB), 2048u);
  EXPECT_EQ(size(platform, CoreMemType::L2), 192u << 20);
  EXPECT_EQ(size(platform, CoreMemType::HBM), uint64_t{64} << 30);
  EXPECT_EQ(size(platform, CoreMemType::RESERVED), 0u);
}

TEST(PlatformAscendC, TheLastReservationCounts) {
  PlatformAscendC platform(nullptr);
  platform.ReserveLocalMemory(ReservedSize::RESERVED_SIZE_32K);
  platform.ReserveLocalMemory(ReservedSize::RESERVED_SIZE_8K);
  EXPECT_EQ(size(platform, CoreMemType::UB), (192u - 8) << 10);
  EXPECT_EQ(size(platform, CoreMemType::L1), 512u << 10);
}

TEST(PlatformAscendC, BlocksAreGroupsOfOneCubeCore) {
  const PlatformAscendC platform(nullptr);
  EXPECT_EQ(platform.CalcTschNumBlocks(40, 20, 40), 20u);  // the documented example
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 20, 40), 4u);
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 0, 40), 7u);
  EXPECT_EQ(platform.CalcTschNumBlocks(7, 20, 0), 7u);
}

TEST(PlatformAscendCManager, TheFirstNameStays) {
  PlatformAscendC* first = PlatformAscendCManager::GetInstance("Ascend910B1");
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->GetCoreNumAiv(), 48u);
  EXPECT_EQ(PlatformAscendCManager::GetInstance("Ascend910B4"), first);
  EXPECT_EQ(PlatformAscendCManager::GetInstance(), first);
}

}  // namespace
