#include <cstdio>
#include <fstream>

#include "machine/output.h"
#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

std::string write_file(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Init, TwiceIsSaidAndFinalizeEndsIt) {
  EXPECT_EQ(aclFinalize(), ACL_ERROR_UNINITIALIZE);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclInit(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  EXPECT_TRUE(contains(message(), "100002 ACL_ERROR_REPEAT_INITIALIZE"));
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS) << "a new life is allowed";
  uint64_t left = 9;
  EXPECT_EQ(aclFinalizeReference(&left), ACL_SUCCESS);
  EXPECT_EQ(left, 0u);
}

TEST(Init, ConfigurationFileMustExistAndParse) {
  EXPECT_EQ(aclInit("/nonexistent/acl.json"), ACL_ERROR_INVALID_FILE);
  EXPECT_TRUE(contains(message(), "/nonexistent/acl.json"));
  EXPECT_EQ(aclInit(write_file("broken.json", "{\"dump\": ").c_str()), ACL_ERROR_PARSE_FILE);
  EXPECT_EQ(aclInit(write_file("list.json", "[1]").c_str()), ACL_ERROR_PARSE_FILE);
  ASSERT_EQ(aclInit(write_file("empty.json", "{}").c_str()), ACL_SUCCESS);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST(Init, ConfigurationSaysHowMuchACallPrints) {
  for (const char* wrong : {"512", "\"67108865\"", "{}"})
    EXPECT_EQ(
        aclInit(write_file("wrong.json", std::string("{\"simd_printf_fifo_size_per_core\": ") + wrong + "}")
                    .c_str()),
        ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(aclInit(write_file("large.json", "{\"simd_printf_fifo_size_per_core\": \"65536\"}").c_str()),
            ACL_SUCCESS);
  EXPECT_EQ(toprope::print_limit(), 65536u);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  EXPECT_EQ(toprope::print_limit(), 30u * 1024);
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST(Init, VersionsAreConsistent) {
  int32_t major, minor, patch;
  ASSERT_EQ(aclrtGetVersion(&major, &minor, &patch), ACL_SUCCESS);
  EXPECT_EQ(major, ACL_MAJOR_VERSION);
  aclCANNPackageVersion version;
  ASSERT_EQ(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version), ACL_SUCCESS);
  char text[ACL_PKG_VERSION_MAX_SIZE];
  char package[] = "runtime";
  ASSERT_EQ(aclsysGetVersionStr(package, text), ACL_SUCCESS);
  EXPECT_STREQ(text, version.version);
  EXPECT_EQ(std::string(version.majorVersion) + "." + version.minorVersion + "." + version.releaseVersion,
            text);
  int32_t number;
  ASSERT_EQ(aclsysGetVersionNum(package, &number), ACL_SUCCESS);
  EXPECT_EQ(number, std::stoi(version.majorVersion) * 10000000 + std::stoi(version.minorVersion) * 100000 +
                        std::stoi(version.releaseVersion) * 1000);
  char unknown[] = "no-such-package";
  EXPECT_EQ(aclsysGetVersionStr(unknown, text), ACL_ERROR_INVALID_PARAM);
  EXPECT_TRUE(contains(message(), "no-such-package"));
}

TEST(Errors, MessageIsTakenOnceAndLastErrorIsPerThread) {
  EXPECT_EQ(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
  EXPECT_EQ(message(),
            "aclrtSetDevice: device 99 does not exist: there are 2, numbered from 0 (TOPROPE_DEVICES asks "
            "for more) [107001 ACL_ERROR_RT_INVALID_DEVICEID]");
  EXPECT_EQ(message(), "");
}

}  // namespace
}  // namespace toprope::test
