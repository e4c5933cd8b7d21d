// Expected numbers: the chip table in spec/soc.tsv names its sources; here they are written out again by hand
// from the architecture pages (UB, L1, L0) and the ini files (cores, clock, L2, HBM).
#include "base/soc.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/config.h"

namespace toprope {
namespace {

TEST(Soc, DefaultIsAscend910B3) {
  ::unsetenv("TOPROPE_SOC");
  const SocInfo& chip = soc();
  EXPECT_STREQ(chip.name, "Ascend910B3");
  EXPECT_STREQ(chip.arch, "dav-2201");
  EXPECT_EQ(chip.aic, 20u);
  EXPECT_EQ(chip.aiv, 40u);
  EXPECT_EQ(chip.ub, 196608u);
  EXPECT_EQ(chip.l1, 524288u);
  EXPECT_EQ(chip.l0a, 65536u);
  EXPECT_EQ(chip.l0b, 65536u);
  EXPECT_EQ(chip.l0c, 131072u);
  EXPECT_EQ(chip.bt, 1024u);
  EXPECT_EQ(chip.mhz, 1800u);
  EXPECT_EQ(chip.l2, 192ull << 20);
  EXPECT_EQ(chip.hbm, 64ull << 30);
}

TEST(Soc, FindsEverySpelling) {
  EXPECT_STREQ(find_soc("Ascend910B4")->name, "Ascend910B4");
  EXPECT_STREQ(find_soc("910B4")->name, "Ascend910B4");
  EXPECT_STREQ(find_soc("ascend910b4")->name, "Ascend910B4");
  EXPECT_STREQ(find_soc("dav-2201")->name, "Ascend910B3");
  EXPECT_STREQ(find_soc("dav-3510")->name, "Ascend950PR_9599");
  EXPECT_EQ(find_soc("Ascend910B5"), nullptr);
  EXPECT_EQ(find_soc(""), nullptr);
}

TEST(Soc, KnowsTheOtherGeneration) {
  const SocInfo* chip = find_soc("Ascend950PR_9589");
  ASSERT_NE(chip, nullptr);
  EXPECT_STREQ(chip->arch, "dav-3510");
  EXPECT_EQ(chip->aic, 32u);
  EXPECT_EQ(chip->aiv, 64u);
  EXPECT_EQ(chip->ub, 253952u);
  EXPECT_EQ(chip->l0c, 262144u);
  EXPECT_EQ(chip->bt, 4096u);
}

TEST(Soc, RowsAreDistinctAndComplete) {
  std::set<std::string> names;
  for (const SocInfo* chip : all_socs()) {
    EXPECT_TRUE(names.insert(chip->name).second) << chip->name;
    EXPECT_EQ(chip->aiv, 2 * chip->aic) << chip->name;
    for (uint64_t size : {uint64_t{chip->ub}, uint64_t{chip->l1}, uint64_t{chip->l0a}, uint64_t{chip->l0b},
                          uint64_t{chip->l0c}, uint64_t{chip->bt}, uint64_t{chip->fb}, chip->l2, chip->hbm})
      EXPECT_TRUE(size > 0 && size % 32 == 0) << chip->name << ' ' << size;
    EXPECT_GE(chip->mhz, 1000u) << chip->name;
  }
  EXPECT_GE(names.size(), 15u);
}

TEST(Soc, UnknownNameListsTheNearest) {
  const std::string text = unknown_soc_message("Ascend910B33");
  EXPECT_NE(text.find("Ascend910B33"), std::string::npos);
  EXPECT_NE(text.find("names: Ascend910B3,"), std::string::npos) << text;
  for (const SocInfo* chip : all_socs()) EXPECT_NE(text.find(chip->name), std::string::npos) << text;
  EXPECT_EQ(text.find("soc.tsv"), std::string::npos) << "an installed wheel has no such file: " << text;
}

}  // namespace
}  // namespace toprope
