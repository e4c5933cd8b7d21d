#include <atomic>
#include <thread>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

class StreamTest : public Acl {};

TEST_F(StreamTest, CreateDescribeDestroy) {
  aclrtStream own;
  ASSERT_EQ(aclrtCreateStreamWithConfig(&own, 3, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC), ACL_SUCCESS);
  uint32_t priority = 0, flags = 0;
  ASSERT_EQ(aclrtStreamGetPriority(own, &priority), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamGetFlags(own, &flags), ACL_SUCCESS);
  EXPECT_EQ(priority, 3u);
  EXPECT_EQ(flags, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC);
  int32_t id = -1, other = -1;
  ASSERT_EQ(aclrtStreamGetId(own, &id), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamGetId(stream, &other), ACL_SUCCESS);
  EXPECT_NE(id, other);
  EXPECT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(own), ACL_ERROR_RT_PARAM_INVALID) << "a stale handle is recognised";
  EXPECT_TRUE(contains(message(), "does not exist (any more)"));
  EXPECT_EQ(aclrtDestroyStream(own), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyStream(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&own, 8, 0), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtCreateStreamWithConfig(&own, 0, 0x80), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(StreamTest, NullIsTheDefaultStream) {
  static int value;
  value = 0;
  ASSERT_EQ(aclrtLaunchHostFunc(nullptr, [](void*) { ++value; }, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  EXPECT_EQ(value, 1);
}

TEST_F(StreamTest, CallbacksNeedASubscriber) {
  static std::atomic<int> calls;
  calls = 0;
  auto count = [](void* by) { calls += *static_cast<int*>(by); };
  int three = 3;
  EXPECT_EQ(aclrtLaunchCallback(count, &three, ACL_CALLBACK_BLOCK, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
  ASSERT_EQ(aclrtSubscribeReport(1, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtProcessReport(1), ACL_ERROR_RT_REPORT_TIMEOUT);
  ASSERT_EQ(aclrtLaunchCallback(count, &three, ACL_CALLBACK_BLOCK, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(aclrtProcessReport(100), ACL_SUCCESS);
  ASSERT_EQ(aclrtUnSubscribeReport(1, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtUnSubscribeReport(1, stream), ACL_ERROR_RT_STREAM_NO_CB_REG);
}

TEST_F(StreamTest, ValuesAreWrittenAndAwaited) {
  auto* word = device_array<uint64_t>(1);
  ASSERT_EQ(aclrtValueWrite(word, 5, 0, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(word, 5, ACL_STREAM_WAIT_VALUE_EQ, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(word, 4, ACL_STREAM_WAIT_VALUE_GEQ, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(word, 4, ACL_STREAM_WAIT_VALUE_AND, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(*word, 5u);
  EXPECT_EQ(aclrtValueWrite(reinterpret_cast<char*>(word) + 4, 5, 0, stream), ACL_ERROR_RT_ADDR_UNALIGNED);
  ASSERT_EQ(aclrtSetOpWaitTimeout(1), ACL_SUCCESS);
  ASSERT_EQ(aclrtValueWait(word, 6, ACL_STREAM_WAIT_VALUE_EQ, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_TASK_TIMEOUT);
  ASSERT_EQ(aclrtSetOpWaitTimeout(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(word), ACL_SUCCESS);
}

TEST_F(StreamTest, ThreadsShareAStreamWithoutOverlap) {
  static int depth, worst;
  depth = worst = 0;
  auto enter = [](void*) {
    if (++depth > worst) worst = depth;
    std::this_thread::yield();
    --depth;
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) EXPECT_EQ(aclrtLaunchHostFunc(stream, enter, nullptr), ACL_SUCCESS);
    });
  for (auto& t : threads) t.join();
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(worst, 1);
}

TEST_F(StreamTest, AttributesAreRemembered) {
  aclrtStreamAttrValue value{};
  value.failureMode = ACL_CONTINUE_ON_FAILURE;
  ASSERT_EQ(aclrtSetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), ACL_SUCCESS);
  value.failureMode = 77;
  ASSERT_EQ(aclrtGetStreamAttribute(stream, ACL_STREAM_ATTR_FAILURE_MODE, &value), ACL_SUCCESS);
  EXPECT_EQ(value.failureMode, ACL_CONTINUE_ON_FAILURE);
  EXPECT_EQ(aclrtSetStreamFailureMode(stream, 2), ACL_ERROR_RT_PARAM_INVALID);
  uint32_t flag = 9;
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_SUCCESS);
  EXPECT_EQ(flag, 0u);
  ASSERT_EQ(aclrtSetStreamOverflowSwitch(stream, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetStreamOverflowSwitch(stream, &flag), ACL_SUCCESS);
  EXPECT_EQ(flag, 1u);
}

}  // namespace
}  // namespace toprope::test
