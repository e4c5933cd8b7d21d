// Every name that torch_npu links or looks up exists, and one that is not served says so.
#include <dlfcn.h>

#include <fstream>
#include <sstream>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

TEST(Symbols, EveryNameOfTheTableExists) {
  std::ifstream table(std::string(TOPROPE_TEST_DATA) + "/../../spec/acl_symbols.tsv");
  ASSERT_TRUE(table);
  int names = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string name = line.substr(0, line.find('\t'));
    EXPECT_NE(dlsym(RTLD_DEFAULT, name.c_str()), nullptr) << name;
    ++names;
  }
  EXPECT_GT(names, 150);
}

TEST(Symbols, AnUnservedNameAnswersTheRealCodeAndItsName) {  // facts/cases C07
  aclrtBinHandle handle = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData("\177ELF of a device", 16, nullptr, &handle), 207000);
  const std::string text = message();
  EXPECT_TRUE(contains(text, "aclrtBinaryLoadFromData") && contains(text, "ACL_ERROR_RT_FEATURE_NOT_SUPPORT"))
      << text;
  EXPECT_EQ(handle, nullptr);
}

}  // namespace
}  // namespace toprope::test
