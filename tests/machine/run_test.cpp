// The block scheduler: every block once, waiting between blocks, deadlock as an answer.
#include "machine/run.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "machine/core_state.h"
#include "machine/fault.h"

namespace toprope {
namespace {

template <class Body>
LaunchStatus run_blocks(uint32_t blocks, Body body, uint8_t cubes = 0, uint8_t vectors = 1) {
  Launch launch;
  launch.kernel = "test_kernel";
  launch.blocks = blocks;
  launch.cubes = cubes;
  launch.vectors = vectors;
  launch.call = [](void* state) { (*static_cast<Body*>(state))(); };
  launch.state = &body;
  return run(launch);
}

/// Work long enough that the scheduler takes its OpenMP workers.
void be_busy(int rounds = 20000) {
  volatile int sink = 0;
  for (int i = 0; i < rounds; ++i) sink = sink + i;
}

/// A barrier of `n` cores over the scheduler's two primitives, as SyncAll is one.
struct Barrier {
  std::atomic<uint32_t> arrived{0}, generation{0};
  void wait(uint32_t n) {
    Core& c = core();
    const uint32_t mine = generation.load();
    if (arrived.fetch_add(1) + 1 == n) {
      arrived = 0;
      ++generation;
      signal(c);
      return;
    }
    wait_for(c, [this, mine] { return generation.load() != mine; }, "the test's barrier", nullptr);
  }
};

/// Launches a kernel for the second time, which is when its blocks start on two workers at once: `body` gets
/// what the first launch does not.
template <class Body>
LaunchStatus run_on_two_workers(uint32_t blocks, Body body) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(2);
  bool first = true;
  const auto kernel = [&] { first ? be_busy() : body(); };
  EXPECT_EQ(run_blocks(blocks, kernel).report, "");
  first = false;
  LaunchStatus status = run_blocks(blocks, kernel);
  omp_set_num_threads(before);
  return status;
}

TEST(Run, EveryBlockExactlyOnce) {  // facts/cases E15: also with more blocks than cores
  for (uint32_t blocks : {1u, 2u, 7u, 41u, 100u, 1000u}) {
    std::vector<std::atomic<int>> ran(blocks);
    const auto status = run_blocks(blocks, [&] {
      be_busy(blocks > 100 ? 100 : 20000);
      ++ran[core().block_idx];
    });
    EXPECT_EQ(status.fault, Fault::None) << status.report;
    for (uint32_t i = 0; i < blocks; ++i) EXPECT_EQ(ran[i], 1) << "block " << i << " of " << blocks;
  }
}

TEST(Run, CoresOfAMixedBlock) {
  std::vector<std::atomic<int>> cubes(3), vectors(6);
  run_blocks(
      3,
      [&] {
        Core& c = core();
        ++(c.cube ? cubes : vectors)[c.block_idx];
        if (!c.cube) {
          EXPECT_EQ(c.sub_block_idx, c.block_idx % 2);
        }
        EXPECT_EQ(c.block_num, 3u);
      },
      1, 2);
  for (auto& n : cubes) EXPECT_EQ(n, 1);
  for (auto& n : vectors) EXPECT_EQ(n, 1);
}

TEST(Run, BarrierOrdersGlobalMemory) {  // facts/cases G03
  for (int round = 0; round < 200; ++round) {
    constexpr uint32_t n = 48;
    int gm[n] = {}, seen[n] = {};
    Barrier barrier;
    const auto status = run_blocks(n, [&] {
      const uint32_t i = core().block_idx;
      gm[i] = static_cast<int>(i) + 1;
      barrier.wait(n);
      seen[i] = gm[(i + 1) % n];
    });
    ASSERT_EQ(status.report, "");
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(seen[i], static_cast<int>((i + 1) % n) + 1);
  }
}

TEST(Run, OnlyLaterBlocksMeetABarrier) {  // facts/cases G01: the first block's behaviour promises nothing
  for (int round = 0; round < 50; ++round) {
    Barrier barrier;
    std::atomic<int> passed{0};
    const auto status = run_blocks(20, [&] {
      be_busy();  // long enough for the parallel path
      if (core().block_idx == 0) return;
      barrier.wait(19);
      ++passed;
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(passed, 19);
  }
}

TEST(Run, BlocksOfTwoWorkersMeet) {  // again and again, so that they also find each other asleep
  for (int round = 0; round < 10; ++round) {
    constexpr uint32_t n = 12;
    Barrier barrier;
    uint32_t count[n] = {};
    std::atomic<int> wrong{0};
    const auto status = run_on_two_workers(n, [&] {
      const uint32_t i = core().block_idx;
      for (uint32_t k = 1; k <= 100; ++k) {
        count[i] = k;
        barrier.wait(n);
        wrong += count[(i + k) % n] != k;
        barrier.wait(n);
        if (k % 20 == i) std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(wrong, 0);
  }
}

TEST(Run, TwoWorkersFindADeadlockWhenTheLastOneWaits) {
  for (int round = 0; round < 10; ++round) {
    Barrier barrier;
    const auto status = run_on_two_workers(6, [&] {
      const uint32_t i = core().block_idx;
      if (i == 1)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the other worker sleeps by then
      if (i != 4) barrier.wait(6);
    });
    EXPECT_EQ(status.fault, Fault::Deadlock);
    EXPECT_NE(status.report.find("AIV 0, AIV 1, AIV 2, AIV 3, AIV 5: each waits for the test's barrier"),
              std::string::npos)
        << status.report;
    EXPECT_NE(status.report.find("the other 1 of 6 cores have finished"), std::string::npos) << status.report;
  }
}

TEST(Run, AFaultWakesTheOtherWorker) {
  Barrier barrier;
  const auto status = run_on_two_workers(6, [&] {
    if (core().block_idx == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      refuse(core(), "Add", "dst is wrong", "make it right", nullptr);
    }
    barrier.wait(6);
  });
  EXPECT_EQ(status.fault, Fault::Exception) << status.report;
}

#if defined(__SSE__)
TEST(Run, KernelsHaveTheirOwnFloatingPointMode) {
  volatile float one = 1, three = 3, most = std::numeric_limits<float>::max();
  const float third = one / three;
  std::fesetround(FE_UPWARD);
  std::feclearexcept(FE_ALL_EXCEPT);
  Barrier barrier;
  std::atomic<int> wrong{0};
  const auto status = run_blocks(4, [&] {
    for (int k = 0; k < 3; ++k) {
      wrong += one / three != third;
      wrong += most * three != std::numeric_limits<float>::infinity();
      barrier.wait(4);
    }
  });
  const int mode = std::fegetround(), flags = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(mode, FE_UPWARD);
  EXPECT_EQ(flags, 0);  // what kernels raise stays with them
}
#endif

TEST(Run, DeadlockIsReportedAtOnce) {
  for (bool busy : {false, true}) {
    Barrier barrier;
    const auto status = run_blocks(4, [&] {
      if (busy) be_busy();
      if (core().block_idx != 2) barrier.wait(4);
    });
    EXPECT_EQ(status.fault, Fault::Deadlock);
    EXPECT_NE(status.report.find("deadlock"), std::string::npos);
    EXPECT_NE(status.report.find("waits for the test's barrier"), std::string::npos) << status.report;
  }
}

TEST(Run, AFaultEndsTheLaunchAndLeavesTheMachineUsable) {
  Barrier barrier;
  const auto status = run_blocks(8, [&] {
    if (core().block_idx == 3) refuse(core(), "Add", "dst is wrong", "make it right", nullptr);
    barrier.wait(8);
  });
  EXPECT_EQ(status.fault, Fault::Exception);
  EXPECT_NE(status.report.find("Add: dst is wrong"), std::string::npos);
  EXPECT_NE(status.report.find("in kernel test_kernel, block 3"), std::string::npos);
  EXPECT_NE(status.report.find("cure: make it right"), std::string::npos);
  std::atomic<int> ran{0};
  EXPECT_EQ(run_blocks(8, [&] { ++ran; }).fault, Fault::None);
  EXPECT_EQ(ran, 8);
}

TEST(Run, LocalsOfAWaitingBlockAreDestroyed) {
  static std::atomic<int> alive{0};
  struct Local {
    Local() { ++alive; }
    ~Local() { --alive; }
  };
  Barrier barrier;
  run_blocks(6, [&] {
    Local local;
    barrier.wait(7);
  });
  EXPECT_EQ(alive, 0);
}

TEST(Run, AnEscapedExceptionIsAFault) {
  for (bool standard : {true, false}) {
    const auto status = run_blocks(2, [standard] {
      if (standard) throw std::runtime_error("from the kernel");
      throw 5;
    });
    EXPECT_EQ(status.fault, Fault::Exception);
    const std::string what = standard ? "a C++ exception left the kernel: from the kernel"
                                      : "a C++ exception left the kernel: it is no std::exception";
    for (const std::string& part : {"toprope: error: " + what + "\n",
                                    std::string("in kernel test_kernel, block "), std::string("cure: ")})
      EXPECT_NE(status.report.find(part), std::string::npos) << part << " is not in\n" << status.report;
  }
  std::atomic<int> ran{0};
  EXPECT_EQ(run_blocks(8, [&] { ++ran; }).fault, Fault::None);
  EXPECT_EQ(ran, 8);
}

TEST(Run, OutsideAKernelThereIsNoCore) {
  EXPECT_EQ(current_core, nullptr);
  EXPECT_THROW(core(), KernelAbort);
}

}  // namespace
}  // namespace toprope
