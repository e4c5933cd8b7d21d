// TOPROPE_STREAM is read once a process, so the cases of another mode run in a child: this program again,
// with the variable set and only those cases chosen.
#include <atomic>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "base/config.h"
#include "base/memory_registry.h"
#include "support/acl_fixture.h"
#include "support/rerun.h"

namespace toprope::test {
namespace {

/// Skips unless the process was started in the case's mode.
class Mode : public Acl {
 protected:
  explicit Mode(StreamMode mode) : mode_(mode) {}
  void SetUp() override {
    Acl::SetUp();
    if (config().stream != mode_) GTEST_SKIP() << "runs in the child of StreamModes.*";
  }

 private:
  StreamMode mode_;
};

class LazyStream : public Mode {
 protected:
  LazyStream() : Mode(StreamMode::Lazy) {}
};

class AsyncStream : public Mode {
 protected:
  AsyncStream() : Mode(StreamMode::Async) {}
};

TEST(StreamModes, Lazy) { EXPECT_EQ(rerun("lazy", "LazyStream.*"), 0); }
TEST(StreamModes, Async) { EXPECT_EQ(rerun("async", "AsyncStream.*"), 0); }

TEST(StreamModes, EverythingElseHoldsInEveryMode) {
  if (config().stream != StreamMode::Eager) GTEST_SKIP();
  const char* filter = "StreamTest.*:EventTest.*:Memory.*:CaptureTest.*:Context.*";
  EXPECT_EQ(rerun("lazy", filter), 0);
  EXPECT_EQ(rerun("async", filter), 0);
}

TEST(StreamModes, AnUnknownModeIsSaid) {
  EXPECT_NE(rerun("sometimes", "Init.TwiceIsSaidAndFinalizeEndsIt"), 0) << "aclInit must refuse it";
}

TEST_F(LazyStream, WorkWaitsUntilSomethingWaitsForIt) {
  int* value = device_array<int>(1);
  *value = 1;
  EXPECT_EQ(launch_on(stream, 1, [](int* v) { *v = 2; }, value), 0u);
  int host = 0;
  ASSERT_EQ(aclrtMemcpy(&host, 4, value, 4, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(host, 1) << "a read without a synchronisation sees the old value every time";
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(*value, 2);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(LazyStream, QueryAnswersNotReadyOnce) {
  static bool ran;
  ran = false;
  launch_on(stream, 1, [] { ran = true; });
  aclrtStreamStatus status;
  ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_TRUE(ran);
}

TEST_F(LazyStream, HostMemoryIsReadWhenTheCopyRuns) {
  char* device = device_array<char>(4);
  char host[4] = {'o', 'l', 'd', '.'};
  ASSERT_EQ(aclrtMemcpyAsync(device, 4, host, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream), ACL_SUCCESS);
  std::memcpy(host, "new.", 4);  // the mistake: the buffer is reused before the copy is done
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(std::string(device, 4), "new.");
  EXPECT_EQ(aclrtFree(device), ACL_SUCCESS);
}

TEST_F(LazyStream, FreedMemoryIsPoisonedWhileWorkIsHeld) {
  char *from = device_array<char>(64), *to = device_array<char>(64);
  std::memset(from, 1, 64);
  std::memset(to, 2, 64);
  ASSERT_EQ(aclrtMemcpyAsync(to, 64, from, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtFree(from), ACL_SUCCESS);  // the mistake
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(static_cast<unsigned char>(to[0]), 0xDB);
  EXPECT_EQ(static_cast<unsigned char>(to[63]), 0xDB);
  EXPECT_EQ(aclrtFree(to), ACL_SUCCESS);
}

TEST_F(LazyStream, ArgumentsAreCopiedAtTheLaunch) {  // facts/cases D02: the caller's frame is gone by then
  static int seen;
  seen = 0;
  {
    int local = 41;
    launch_on(stream, 1, [](int by_value) { seen = by_value + 1; }, local);
    local = 0;
  }
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(seen, 42);
}

TEST_F(LazyStream, AnEventPullsOnlyWhatLiesBeforeIt) {
  static int steps;
  steps = 0;
  aclrtStream other;
  aclrtEvent event;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  launch_on(stream, 1, [] { steps += 1; });
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  launch_on(stream, 1, [] { steps += 10; });
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  launch_on(other, 1, [] { steps += 100; });
  aclrtEventWaitStatus waits;
  ASSERT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_SUCCESS);
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_NOT_READY);
  float ms;
  EXPECT_EQ(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_EVENT_NOT_COMPLETE);
  ASSERT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(steps, 101);
  ASSERT_EQ(aclrtQueryEventWaitStatus(event, &waits), ACL_SUCCESS);
  EXPECT_EQ(waits, ACL_EVENT_WAIT_STATUS_COMPLETE);
  ASSERT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(steps, 111);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(LazyStream, ThreadsMayDrainStreamsThatWaitForEachOther) {
  aclrtStream other;
  aclrtEvent events[2];
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  for (aclrtEvent& event : events) ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  static int steps;
  for (int round = 0; round < 200; ++round) {
    steps = 0;
    for (int i = 0; i < 4; ++i) {
      aclrtStream from = i % 2 ? other : stream, to = i % 2 ? stream : other;
      launch_on(from, 1, [](int n) { steps += steps == n; }, i);
      ASSERT_EQ(aclrtRecordEvent(events[i % 2], from), ACL_SUCCESS);
      ASSERT_EQ(aclrtStreamWaitEvent(to, events[i % 2]), ACL_SUCCESS);
    }
    std::thread helper([&] { EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS); });
    EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    helper.join();
    ASSERT_EQ(steps, 4);
  }
  for (aclrtEvent event : events) EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
}

TEST_F(LazyStream, AFaultIsSeenAtTheSynchronisation) {
  static bool ran;
  ran = false;
  EXPECT_EQ(launch_on(stream, 1, [] { throw std::runtime_error("deliberate"); }), 0u);
  EXPECT_EQ(launch_on(stream, 1, [] { ran = true; }), 0u) << "nobody knows yet";
  EXPECT_EQ(aclrtSynchronizeStream(stream), 507015);
  EXPECT_FALSE(ran);
}

TEST_F(LazyStream, ForcedDestructionDropsTheWork) {
  static bool ran;
  ran = false;
  aclrtStream own;
  ASSERT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
  launch_on(own, 1, [] { ran = true; });
  EXPECT_EQ(aclrtDestroyStreamForce(own), ACL_SUCCESS);
  EXPECT_FALSE(ran);
  ASSERT_EQ(aclrtCreateStream(&own), ACL_SUCCESS);
  launch_on(own, 1, [] { ran = true; });
  EXPECT_EQ(aclrtDestroyStream(own), ACL_SUCCESS);
  EXPECT_TRUE(ran) << "the other one waits";
}

TEST_F(AsyncStream, SubmissionDoesNotWait) {
  static std::atomic<bool> go, done;
  go = done = false;
  auto wait = [](void*) {
    while (!go) std::this_thread::yield();
    done = true;
  };
  ASSERT_EQ(aclrtLaunchHostFunc(stream, wait, nullptr), ACL_SUCCESS);
  aclrtStreamStatus status;
  ASSERT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_FALSE(done);
  go = true;
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_TRUE(done);
}

TEST_F(AsyncStream, ProgressDoesNotNeedTheHost) {  // facts/cases G16: the host sleeps, then looks once
  auto* value = device_array<int>(1);
  *value = 0;
  EXPECT_EQ(launch_on(stream, 8, [](int* v) { __atomic_fetch_add(v, 1, __ATOMIC_RELEASE); }, value), 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(__atomic_load_n(value, __ATOMIC_ACQUIRE), 8);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(AsyncStream, AStreamWaitsForAnother) {
  static std::atomic<int> order;
  static int first, second;
  order = first = second = 0;
  aclrtStream other;
  aclrtEvent event;
  ASSERT_EQ(aclrtCreateStream(&other), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtLaunchHostFunc(
      stream,
      [](void*) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        first = ++order;
      },
      nullptr);
  ASSERT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  aclrtLaunchHostFunc(other, [](void*) { second = ++order; }, nullptr);
  ASSERT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 2);
  EXPECT_EQ(aclrtDestroyStream(other), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
}

TEST_F(AsyncStream, ManyLaunchesKeepTheirOrder) {
  int* value = device_array<int>(1);
  *value = 0;
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(launch_on(
                  stream, 1,
                  [](int* v, int n) {
                    if (*v == n) *v = n + 1;
                  },
                  value, i),
              0u);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(*value, 2000);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
