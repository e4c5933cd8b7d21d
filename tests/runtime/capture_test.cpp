#include <fstream>
#include <sstream>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

class CaptureTest : public Acl {
 protected:
  aclmdlRICaptureStatus status_of(aclrtStream which) {
    aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED;
    EXPECT_EQ(aclmdlRICaptureGetInfo(which, &status, nullptr), ACL_SUCCESS);
    return status;
  }
};

TEST_F(CaptureTest, RecordsInsteadOfRunningAndReplays) {
  int* value = device_array<int>(2);
  value[0] = value[1] = 0;
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  EXPECT_EQ(status_of(stream), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  launch_on(stream, 1, [](int* v) { *v += 3; }, value);
  EXPECT_EQ(aclrtMemcpyAsync(value + 1, 4, value, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream), ACL_SUCCESS);
  EXPECT_EQ(value[0], 0) << "nothing runs while it is captured";
  aclmdlRI graph = nullptr, seen = nullptr;
  aclmdlRICaptureStatus status;
  ASSERT_EQ(aclmdlRICaptureGetInfo(stream, &status, &seen), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  EXPECT_EQ(graph, seen);
  EXPECT_EQ(status_of(stream), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  for (int n = 1; n <= 3; ++n) {
    ASSERT_EQ(aclmdlRIExecuteAsync(graph, stream), ACL_SUCCESS);
    ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
    EXPECT_EQ(value[0], 3 * n);
    EXPECT_EQ(value[1], 3 * n);
  }
  ASSERT_EQ(aclmdlRIExecute(graph, -1), ACL_SUCCESS);
  EXPECT_EQ(value[1], 12);
  EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRIExecuteAsync(graph, stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(CaptureTest, ArgumentsAreThoseOfTheCapture) {
  int* value = device_array<int>(1);
  *value = 0;
  int step = 5;
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v, int by) { *v += by; }, value, step);
  aclmdlRI graph;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  step = 100;
  ASSERT_EQ(aclmdlRIExecuteAsync(graph, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(*value, 5);
  EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(CaptureTest, OtherStreamsJoinThroughEvents) {
  int* value = device_array<int>(1);
  *value = 1;
  aclrtStream side;
  aclrtEvent fork, join;
  ASSERT_EQ(aclrtCreateStream(&side), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&fork), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEvent(&join), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 2; }, value);
  ASSERT_EQ(aclrtRecordEvent(fork, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(side, fork), ACL_SUCCESS);
  EXPECT_EQ(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  launch_on(side, 1, [](int* v) { *v *= 10; }, value);
  EXPECT_EQ(aclrtSynchronizeEvent(fork), ACL_ERROR_RT_EVENT_CAPTURED);
  aclmdlRI graph = nullptr;
  EXPECT_EQ(aclmdlRICaptureEnd(side, &graph), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  EXPECT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED)
      << "the synchronisation spoilt it";

  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 2; }, value);
  ASSERT_EQ(aclrtRecordEvent(fork, stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(side, fork), ACL_SUCCESS);
  launch_on(side, 1, [](int* v) { *v *= 10; }, value);
  ASSERT_EQ(aclrtRecordEvent(join, side), ACL_SUCCESS);
  ASSERT_EQ(aclrtStreamWaitEvent(stream, join), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 1; }, value);
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  EXPECT_EQ(status_of(side), ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  EXPECT_EQ(*value, 1);
  ASSERT_EQ(aclmdlRIExecute(graph, -1), ACL_SUCCESS);
  EXPECT_EQ(*value, (1 + 2) * 10 + 1);
  EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(fork), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(join), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(side), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(CaptureTest, RefusesWhatCannotBeCaptured) {
  EXPECT_EQ(aclmdlRICaptureBegin(nullptr, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL),
            ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  aclmdlRI graph;
  EXPECT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_ERROR_RT_STREAM_CAPTURED);
  EXPECT_EQ(status_of(stream), ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
  EXPECT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << "the stream is usable again";
}

TEST_F(CaptureTest, TaskGroupsCanBeReplaced) {
  int* value = device_array<int>(1);
  *value = 0;
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 1; }, value);
  aclrtTaskGrp group;
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(stream), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 10; }, value);
  ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(stream, &group), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v *= 2; }, value);
  aclmdlRI graph;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  ASSERT_EQ(aclmdlRIExecute(graph, -1), ACL_SUCCESS);
  EXPECT_EQ(*value, (0 + 1 + 10) * 2);

  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream, group), ACL_SUCCESS);
  launch_on(stream, 1, [](int* v) { *v += 100; }, value);
  ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(stream), ACL_SUCCESS);
  *value = 0;
  ASSERT_EQ(aclmdlRIExecute(graph, -1), ACL_SUCCESS);
  EXPECT_EQ(*value, (0 + 1 + 100) * 2);

  ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream, group), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(stream), ACL_ERROR_RT_MODEL_UPDATE_FAILED) << "one task is wanted";
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(stream), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(stream, group), ACL_ERROR_RT_PARAM_INVALID) << "its graph is gone";
  EXPECT_EQ(aclrtFree(value), ACL_SUCCESS);
}

TEST_F(CaptureTest, ListsItsTasks) {
  ASSERT_EQ(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  launch_on(stream, 1, [] {});
  aclrtLaunchHostFunc(stream, [](void*) {}, nullptr);
  aclmdlRI graph;
  ASSERT_EQ(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  const std::string path = ::testing::TempDir() + "graph.json";
  ASSERT_EQ(aclmdlRIDebugJsonPrint(graph, path.c_str(), 0), ACL_SUCCESS);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(contains(text.str(), R"("kind": "test_kernel")") &&
              contains(text.str(), R"("kind": "host function")"))
      << text.str();
  EXPECT_EQ(aclmdlRIDebugJsonPrint(graph, "/nonexistent/graph.json", 0), ACL_ERROR_RT_FILE_OPEN);
  EXPECT_EQ(aclmdlRIDestroy(graph), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
