// 507015 and 507014 are ACL_ERROR_RT_AICORE_EXCEPTION and ACL_ERROR_RT_AICORE_TIMEOUT of the public
// rt_error_codes.h; the number of blocks is documented as [1, 65535] (SIMD-BuiltIn关键字).
#include <atomic>
#include <stdexcept>
#include <thread>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

class LaunchTest : public Acl {};

/// The text that a call writes to standard error.
template <class Body>
std::string shown(Body&& body) {
  ::testing::internal::CaptureStderr();
  body();
  return ::testing::internal::GetCapturedStderr();
}

TEST_F(LaunchTest, RunsEveryBlockWithItsArguments) {
  static std::atomic<int> sum;
  sum = 0;
  EXPECT_EQ(launch_on(stream, 8, [](int a, short b) { sum += a * b; }, 5, short{3}), 0u);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(sum, 8 * 15);
}

TEST_F(LaunchTest, LargestNumberOfBlocks) {
  static std::atomic<uint32_t> blocks;
  blocks = 0;
  EXPECT_EQ(launch_on(stream, 65535, [] { ++blocks; }), 0u);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(blocks, 65535u);
}

TEST_F(LaunchTest, RefusedBlockNumbersAreShownAndAnsweredOnce) {
  for (uint32_t blocks : {0u, 65536u, UINT32_MAX}) {
    static bool ran;
    ran = false;
    const std::string text =
        shown([&] { EXPECT_EQ(launch_on(stream, blocks, [] { ran = true; }), 107000u); });
    EXPECT_FALSE(ran);
    EXPECT_TRUE(contains(text, "test_kernel") && contains(text, "1 to 65535") && contains(text, "test.asc:7"))
        << text;
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "the stream itself is sound";
  }
  EXPECT_EQ(launch_on(stream, 1, [] {}), 0u);
}

TEST_F(LaunchTest, MixedKernelsNeedACombinationABlock) {
  // Ascend910B3 has 20 combinations of one cube and two vector cores.
  ASSERT_EQ(toprope_declare_kernel("test_mixed", 1, 2), 0);
  static const LaunchSite site{"ops::test_mixed<float, 2>", "test.asc", 9};
  LaunchConfig config;
  config.stream = stream;
  static std::atomic<int> calls;
  calls = 0;
  auto count = [] { ++calls; };
  config.blocks = 20;
  EXPECT_EQ(launch(site, config, count), 0u);
  EXPECT_EQ(calls, 60) << "one cube core and two vector cores a block";
  config.blocks = 21;
  const std::string text = shown([&] { EXPECT_EQ(launch(site, config, count), 107000u); });
  EXPECT_TRUE(contains(text, "21 blocks") && contains(text, "has 20 such combinations")) << text;
  EXPECT_EQ(calls, 60);
}

TEST_F(LaunchTest, ADeclarationAfterALaunchCounts) {
  static const LaunchSite site{"test_late", "test.asc", 9};
  LaunchConfig config;
  config.stream = stream;
  config.blocks = 2;
  static std::atomic<int> calls;
  calls = 0;
  launch(site, config, [] { ++calls; });
  EXPECT_EQ(calls, 2) << "a pure vector kernel until declared otherwise";
  ASSERT_EQ(toprope_declare_kernel("test_late", 1, 1), 0);
  launch(site, config, [] { ++calls; });
  EXPECT_EQ(calls, 2 + 4);
  EXPECT_NE(toprope_declare_kernel("test_late", 0, 0), 0);
  EXPECT_NE(toprope_declare_kernel("test_late", 2, 0), 0);
}

TEST_F(LaunchTest, DynamicMemoryMustFit) {
  static const LaunchSite site{"test_dynamic", "test.asc", 9};
  LaunchConfig config;
  config.stream = stream;
  config.blocks = 1;
  config.dynamic_ub = 196608;
  EXPECT_EQ(launch(site, config, [] {}), 0u);
  config.dynamic_ub = 196609;
  const std::string text = shown([&] { EXPECT_EQ(launch(site, config, [] {}), 107000u); });
  EXPECT_TRUE(contains(text, "196609 bytes of dynamic local memory")) << text;
}

TEST_F(LaunchTest, AFaultStaysOnItsStreamAndAFreshOneWorks) {
  const std::string text =
      shown([&] { launch_on(stream, 4, [] { throw std::runtime_error("deliberate"); }); });
  EXPECT_TRUE(contains(text, "deliberate")) << text;
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_TRUE(contains(message(), "deliberate"));
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015) << "it stays";
  static bool ran;
  ran = false;
  EXPECT_EQ(launch_on(stream, 1, [] { ran = true; }), 507015u);
  EXPECT_FALSE(ran);
  char* device = device_array<char>(8);
  EXPECT_EQ(aclrtMemsetAsync(device, 8, 0, 8, stream), 507015);
  EXPECT_EQ(aclrtSynchronizeDevice(), 507015);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), 507015);

  aclrtStream fresh;
  ASSERT_EQ(aclrtCreateStream(&fresh), ACL_SUCCESS);
  EXPECT_EQ(launch_on(fresh, 1, [] { ran = true; }), 0u);
  EXPECT_EQ(aclrtSynchronizeStream(fresh), ACL_SUCCESS);
  EXPECT_TRUE(ran);
  EXPECT_EQ(aclrtDestroyStream(fresh), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(LaunchTest, AbortClearsAFault) {
  shown([&] { launch_on(stream, 1, [] { throw std::runtime_error("deliberate"); }); });
  aclrtErrorInfo info;
  ASSERT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_ERROR_AICORE);
  ASSERT_EQ(aclrtStreamAbort(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(launch_on(stream, 1, [] {}), 0u);
  ASSERT_EQ(aclrtDeviceTaskAbort(0, 0), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetErrorVerbose(0, &info), ACL_SUCCESS);
  EXPECT_EQ(info.errorType, ACL_RT_NO_ERROR);
}

TEST_F(LaunchTest, ContinueOnFailureRunsLaterWork) {
  ASSERT_EQ(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE), ACL_SUCCESS);
  shown([&] { launch_on(stream, 1, [] { throw std::runtime_error("deliberate"); }); });
  static bool ran;
  ran = false;
  EXPECT_EQ(launch_on(stream, 1, [] { ran = true; }), 0u);
  EXPECT_TRUE(ran);
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015) << "still reported";
}

TEST_F(LaunchTest, WithoutADeviceItIsShown) {
  std::string text;
  uint32_t code = 0;
  ::testing::internal::CaptureStderr();
  std::thread([&] { code = launch_on(nullptr, 1, [] {}); }).join();
  text = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 107002u);
  EXPECT_TRUE(contains(text, "call aclrtSetDevice first") && contains(text, "test.asc:7")) << text;
}

}  // namespace
}  // namespace toprope::test
