#include <chrono>
#include <thread>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

class EventTest : public Acl {};

TEST_F(EventTest, RecordQuerySynchronize) {
  aclrtEvent event;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtEventRecordedStatus status;
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY) << "never recorded";
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  aclrtEventWaitStatus waits;
  ASSERT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_SUCCESS);
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  ASSERT_EQ(aclrtResetEvent(event, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  ASSERT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(EventTest, TimesWhatLiesBetween) {
  aclrtEvent start, end;
  ASSERT_EQ(aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE), ACL_SUCCESS);
  float ms = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  ASSERT_EQ(aclrtRecordEvent(start, stream), ACL_SUCCESS);
  const auto before = std::chrono::steady_clock::now();
  auto pause = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  ASSERT_EQ(aclrtLaunchHostFunc(stream, pause, nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(end, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeEvent(end), ACL_SUCCESS);
  const std::chrono::duration<float, std::milli> outside = std::chrono::steady_clock::now() - before;
  ASSERT_EQ(aclrtEventElapsedTime(&ms, start, end), ACL_SUCCESS);
  EXPECT_GE(ms, 20.0f);
  EXPECT_LE(ms, outside.count() + 1.0f);
  uint64_t from = 0, to = 0;
  ASSERT_EQ(aclrtEventGetTimestamp(start, &from), ACL_SUCCESS);
  ASSERT_EQ(aclrtEventGetTimestamp(end, &to), ACL_SUCCESS);
  EXPECT_NEAR(static_cast<double>(to - from), ms * 1000.0, 2.0) << "microseconds";
  EXPECT_EQ(aclrtDestroyEvent(start), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(end), ACL_SUCCESS);
}

TEST_F(EventTest, OnlyTimedEventsHaveATime) {
  aclrtEvent event;
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  uint64_t time;
  EXPECT_EQ(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  EXPECT_TRUE(contains(message(), "ACL_EVENT_TIME_LINE"));
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(EventTest, FlagsAreChecked) {
  aclrtEvent event;
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtCreateEventExWithFlag(&event, 0x1000), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(EventTest, OutlivesItsStream) {
  aclrtStream own;
  aclrtEvent event;
  ASSERT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  ASSERT_EQ(aclrtRecordEvent(event, own), ACL_SUCCESS);
  ASSERT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
