// What waiting costs. One core comes late, the others wait for it in every documented way, on one worker and
// on two: all finish in the order that was asked for, and meanwhile the processor has nothing to do.
#include <omp.h>
#include <sys/resource.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "base/soc.h"
#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::launch;
using namespace std::chrono_literals;

constexpr auto kLate = 150ms;

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + 1e-6 * t.tv_usec; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

struct Shape {
  uint32_t blocks;
  uint8_t cubes, vectors;
};

/// As many as the chip has cores: 40 vector cores, 48 with TOPROPE_SOC=Ascend910B1.
Shape vector_cores() { return {toprope::soc().aiv, 0, 1}; }
Shape mixed_cores() { return {toprope::soc().aic, 1, 2}; }

/// Runs `body` on one worker (round 1) and on two (round 2). In it one core is late by kLate.
template <class Body>
void expect_idle_while_waiting(Shape shape, Body body) {
  const int workers_before = omp_get_max_threads();
  for (const int workers : {1, 2}) {
    SCOPED_TRACE(std::to_string(workers) + " workers");
    omp_set_num_threads(workers);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    const auto all_workers_are_here = [&] {
      std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
      return threads.size() == static_cast<size_t>(workers);
    };
    bool first = true;
    const auto run = [&] {
      return launch(shape.blocks, shape.cubes, shape.vectors, [&] {
        if (first) {  // long, and waits for nobody: the next launch of the kernel starts on all workers
          std::this_thread::sleep_for(100us);
          return;
        }
        for (int i = 0; i < 10000 && !all_workers_are_here(); ++i) std::this_thread::sleep_for(1ms);
        body(workers);
      });
    };
    expect_clean(run());
    first = false;
    const double used = processor_seconds();
    const auto begin = std::chrono::steady_clock::now();
    expect_clean(run());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_GE(took, kLate);
    EXPECT_LT(processor_seconds() - used, took.count() / 2);
    EXPECT_TRUE(all_workers_are_here());
  }
  omp_set_num_threads(workers_before);
}

/// The vector core `late` sleeps; every core notes that it came, meets the others, and looks who came.
template <class Meet>
void expect_all_met(uint32_t late, Meet meet) {
  std::vector<int> came(toprope::soc().aiv);
  std::atomic<int> wrong{0};
  expect_idle_while_waiting(vector_cores(), [&](int round) {
    const auto self = static_cast<uint32_t>(GetBlockIdx());
    if (self == late) std::this_thread::sleep_for(kLate);
    came[self] = round;
    meet(round);
    for (int c : came) wrong += c != round;
    meet(round);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Waiting, InSyncAll) {
  expect_all_met(1, [](int) { SyncAll(); });
}

TEST(Waiting, InSyncAllThroughGm) {
  const uint32_t words = toprope::soc().aiv * 8;
  std::vector<int32_t> workspaces(2 * words, 0);  // zeros for each launch
  expect_all_met(1, [&](int round) {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(workspaces.data() + (round - 1) * static_cast<int>(words), words);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, words);
    SyncAll(gm, ub);
  });
}

TEST(Waiting, ForAllVectorCores) {  // mode 0
  expect_all_met(2, [](int) {
    CrossCoreSetFlag<0, PIPE_MTE3>(4);
    CrossCoreWaitFlag(4);
  });
}

TEST(Waiting, ForTheOtherVectorCoreOfTheBlock) {  // mode 1
  std::vector<std::atomic<int>> came(toprope::soc().aiv);
  std::atomic<int> wrong{0};
  expect_idle_while_waiting(mixed_cores(), [&](int round) {
    if ASCEND_IS_AIC
      return;
    const auto self = static_cast<uint32_t>(GetBlockIdx());
    if (self == 3) std::this_thread::sleep_for(kLate);
    came[self] = round;
    CrossCoreSetFlag<1, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
    wrong += came[self ^ 1] != round;
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Waiting, OfACubeCoreForItsVectorCoresAndBack) {  // mode 2
  std::vector<std::atomic<int>> came(toprope::soc().aiv);
  std::atomic<int> wrong{0};
  expect_idle_while_waiting(mixed_cores(), [&](int round) {
    const auto self = static_cast<uint32_t>(GetBlockIdx());
    if ASCEND_IS_AIC {
      CrossCoreWaitFlag(8);
      wrong += came[2 * self] != round || came[2 * self + 1] != round;
      CrossCoreSetFlag<2, PIPE_FIX>(7);
    } else {
      if (self == 2) std::this_thread::sleep_for(kLate);
      came[self] = round;
      CrossCoreSetFlag<2, PIPE_MTE3>(8);
      CrossCoreWaitFlag(7);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Waiting, InIBWait) {  // a chain against the order in which blocks start
  const uint32_t cores = toprope::soc().aiv;
  std::vector<int32_t> workspace(cores * 8, 0);
  std::vector<uint32_t> order;
  expect_idle_while_waiting(vector_cores(), [&](int) {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(workspace.data(), workspace.size());
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
    const auto self = static_cast<uint32_t>(GetBlockIdx());
    if (self + 1 < cores) IBWait(gm, ub, static_cast<int32_t>(self + 1), 0);
    if (self == 5) std::this_thread::sleep_for(kLate);
    if (self + 1 == cores) order.clear();
    order.push_back(self);
    if (self) IBSet(gm, ub, static_cast<int32_t>(self), 0);
  });
  ASSERT_EQ(order.size(), cores);
  for (uint32_t i = 0; i < cores; ++i) EXPECT_EQ(order[i], cores - 1 - i);
}

TEST(Waiting, ForTheBlocksBefore) {  // InitDetermineComputeWorkspace, WaitPreBlock, NotifyNextBlock
  const uint32_t cores = toprope::soc().aiv;
  std::vector<int32_t> workspace(cores * 8, -1);
  std::vector<uint32_t> order;
  expect_idle_while_waiting(vector_cores(), [&](int) {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(workspace.data(), workspace.size());
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, cores * 8 + 8);
    const auto self = static_cast<uint32_t>(GetBlockIdx());
    InitDetermineComputeWorkspace(gm, ub);
    for (int turn = 0; turn < 2; ++turn) {
      WaitPreBlock(gm, ub);
      if (self == 0 && turn == 0) order.clear();
      if (self == 7 && turn == 1) std::this_thread::sleep_for(kLate);
      order.push_back(self);
      NotifyNextBlock(gm, ub);
    }
  });
  ASSERT_EQ(order.size(), 2 * cores);
  for (uint32_t i = 0; i < 2 * cores; ++i) EXPECT_EQ(order[i], i % cores);
}

TEST(Waiting, InALoopThatPollsGm) {
  int32_t word = 0, data = 0;
  std::atomic<int> wrong{0};
  expect_idle_while_waiting(vector_cores(), [&](int round) {
    if (GetBlockIdx() == 1) {
      std::this_thread::sleep_for(kLate);
      data = round;
      WriteGmByPassDCache(&word, round);
    } else {
      while (ReadGmByPassDCache(&word) != round) {
      }
      wrong += data != round;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
