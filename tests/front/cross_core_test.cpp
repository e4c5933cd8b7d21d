// Synchronisation between cores: CrossCoreSetFlag/WaitFlag, SyncAll, IBSet/IBWait, blocks in order. The
// default chip is an Ascend910B3: 20 AICs, 40 AIVs.
#include <atomic>
#include <numeric>
#include <vector>

#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::Fault;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

TEST(SyncAll, OrdersGlobalMemory) {  // facts/cases G03: block i writes, SyncAll, block j reads; many times
  constexpr uint32_t blocks = 40;
  for (int run = 0; run < 50; ++run) {
    std::vector<int32_t> gm(blocks, 0);
    std::atomic<int> wrong{0};
    expect_clean(launch(blocks, 0, 1, [&] {
      const auto i = static_cast<uint32_t>(GetBlockIdx());
      for (int round = 1; round <= 20; ++round) {
        gm[i] = round * 100 + static_cast<int32_t>(i);
        SyncAll();
        const uint32_t j = (i + static_cast<uint32_t>(round)) % blocks;
        wrong += gm[j] != round * 100 + static_cast<int32_t>(j);
        SyncAll();
      }
    }));
    ASSERT_EQ(wrong, 0);
  }
}

TEST(SyncAll, NamesWhoDidNotCome) {  // facts/cases B13, G01: at once, by name, with the line
  const int line = __LINE__ + 2;
  const auto status = launch(4, 0, 1, [] {
    if (GetBlockIdx() % 2 == 0) SyncAll();
  });
  expect_refused(status, Fault::Deadlock, "AIV 0, AIV 2: each waits for SyncAll<true>()",
                 "cross_core_test.cpp:" + std::to_string(line), "not reached by AIV 1, AIV 3",
                 "the other 2 of 4 cores have finished");
}

TEST(SyncAll, BlocksThatOnlyLaterOnesMeet) {  // facts/cases G01: the first block meets no barrier
  std::atomic<int> passed{0};
  const auto status = launch(8, 0, 1, [&] {
    if (GetBlockIdx() == 0) return;
    CrossCoreSetFlag<0, PIPE_MTE3>(1);
    ++passed;
  });
  expect_clean(status);
  EXPECT_EQ(passed, 7);
}

TEST(SyncAll, MoreBlocksThanCoresWouldHang) {
  expect_clean(launch(40, 0, 1, [] { SyncAll(); }));
  expect_refused(launch(41, 0, 1, [] { SyncAll(); }), "SyncAll<true>(): 41 blocks wait for each other",
                 "Ascend910B3 runs 40 of this kernel at a time");
  expect_refused(launch(21, 1, 2, [] { SyncAll<false>(); }), "21 blocks", "runs 20 of this kernel");
}

TEST(SyncAll, OfAMixedKernel) {
  constexpr uint32_t blocks = 20;
  std::vector<std::atomic<int>> at(blocks * 3);
  std::atomic<int> wrong{0};
  expect_clean(launch(blocks, 1, 2, [&] {
    const auto& c = toprope::core();
    const uint32_t self = c.cube ? c.block_idx * 3 : c.block_idx / 2 * 3 + 1 + c.sub_block_idx;
    at[self] = 1;
    SyncAll<false>();
    for (auto& a : at) wrong += a != 1;
    SyncAll<true>();  // the cube cores go on
  }));
  EXPECT_EQ(wrong, 0);
  expect_refused(launch(4, 0, 1, [] { SyncAll<false>(); }), "SyncAll<false>()", "vector cores only");
  expect_refused(launch(4, 1, 0, [] { SyncAll(); }), "SyncAll<true>()", "cube cores only");
}

TEST(SyncAll, ThroughWorkspaces) {
  constexpr uint32_t blocks = 8;
  std::vector<int32_t> words(blocks * 8, 0), data(blocks, 0);
  std::atomic<int> wrong{0};
  const auto kernel = [&](int32_t used) {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(words.data(), words.size());
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, blocks * 8);
    const auto i = static_cast<size_t>(GetBlockIdx());
    if (used && i >= static_cast<size_t>(used)) return;
    for (int round = 1; round <= 3; ++round) {
      data[i] = round;
      SyncAll(gm, ub, used);
      for (int32_t k = 0; k < (used ? used : static_cast<int32_t>(blocks)); ++k)
        wrong += data[static_cast<size_t>(k)] != round;
      SyncAll(gm, ub, used);
    }
  };
  expect_clean(launch(blocks, 0, 1, [&] { kernel(0); }));
  std::fill(words.begin(), words.end(), 0);
  expect_clean(launch(blocks, 0, 1, [&] { kernel(5); }));
  EXPECT_EQ(wrong, 0);
  expect_refused(launch(blocks, 0, 1, [&] { kernel(9); }), "usedCores is 9");
  expect_refused(launch(2 * blocks, 0, 1, [&] { kernel(0); }), "gmWorkspace has 256 bytes, 512 are needed");
}

TEST(CrossCore, AllVectorCores) {  // mode 0
  constexpr uint32_t blocks = 16;
  std::vector<int> at(blocks, 0);
  std::atomic<int> wrong{0};
  expect_clean(launch(blocks, 0, 1, [&] {
    at[static_cast<size_t>(GetBlockIdx())] = 1;
    CrossCoreSetFlag<0, PIPE_MTE3>(0);
    CrossCoreWaitFlag(0);
    for (int a : at) wrong += a != 1;
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(CrossCore, VectorCoresOfABlock) {  // mode 1: blocks do not wait for each other
  std::vector<int> at(8, 0);
  std::atomic<int> wrong{0};
  expect_clean(launch(4, 1, 2, [&] {
    if ASCEND_IS_AIC
      return;
    const auto i = static_cast<size_t>(GetBlockIdx());
    at[i] = 1;
    CrossCoreSetFlag<1, PIPE_MTE3>(3);
    CrossCoreWaitFlag(3);
    wrong += at[i ^ 1] != 1;
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(CrossCore, CubeAndVectorCoresOfABlock) {  // mode 2, both directions, several rounds
  constexpr uint32_t blocks = 5;
  std::vector<int> cube(blocks, 0), vector(blocks * 2, 0);
  std::atomic<int> wrong{0};
  expect_clean(launch(blocks, 1, 2, [&] {
    const auto i = static_cast<size_t>(GetBlockIdx());
    for (int round = 1; round <= 10; ++round) {
      if ASCEND_IS_AIC {
        cube[i] = round;
        CrossCoreSetFlag<2, PIPE_FIX>(7);
        CrossCoreWaitFlag(8);
        wrong += vector[2 * i] != round || vector[2 * i + 1] != round;
      } else {
        CrossCoreWaitFlag(7);
        wrong += cube[i / 2] != round;
        vector[i] = round;
        CrossCoreSetFlag<2, PIPE_MTE3>(8);
      }
    }
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(CrossCore, NamesWhoDidNotSet) {
  expect_refused(launch(3, 0, 1,
                        [] {
                          if (GetBlockIdx() != 1) CrossCoreSetFlag<0, PIPE_V>(5);
                          CrossCoreWaitFlag(5);
                        }),
                 Fault::Deadlock, "each waits for CrossCoreWaitFlag(5)", "in mode 0 not set by AIV 1");
  expect_refused(launch(1, 1, 2,
                        [] {
                          if ASCEND_IS_AIC
                            CrossCoreWaitFlag(2);
                          else if (GetSubBlockIdx() == 0)
                            CrossCoreSetFlag<2, PIPE_MTE3>(2);
                        }),
                 Fault::Deadlock, "AIC 0 waits for CrossCoreWaitFlag(2)", "in mode 2 not set by AIV 1");
  expect_refused(launch(1, 1, 1,
                        [] {
                          if ASCEND_IS_AIV
                            CrossCoreWaitFlag(9);
                        }),
                 Fault::Deadlock, "AIV 0 waits for", "nobody has set it",
                 "the other 1 of 2 cores have finished");
}

TEST(CrossCore, AFlagCountsTo15) {
  expect_clean(launch(1, 1, 1, [] {
    if ASCEND_IS_AIC {
      for (int i = 0; i < 15; ++i) CrossCoreSetFlag<2, PIPE_FIX>(0);
    } else {
      for (int i = 0; i < 15; ++i) CrossCoreWaitFlag(0);
    }
  }));
  expect_refused(launch(1, 1, 1,
                        [] {
                          if ASCEND_IS_AIC
                            for (int i = 0; i < 16; ++i) CrossCoreSetFlag<2, PIPE_FIX>(0);
                        }),
                 "CrossCoreSetFlag<2, PIPE_FIX>(0): the flag of AIV 0 was set 16 times");
}

TEST(CrossCore, IdsKeepTheirLowFourBits) {
  expect_clean(launch(2, 0, 1, [] {
    CrossCoreSetFlag<0, PIPE_V>(18);
    CrossCoreWaitFlag(2);
  }));
}

TEST(CrossCore, ModesAndPipesThatAreRefused) {
  expect_refused(launch([] { CrossCoreSetFlag<3, PIPE_V>(0); }), "CrossCoreSetFlag<3, PIPE_V>(0): mode 3",
                 "0, 1 and 2");
  expect_refused(launch([] { CrossCoreSetFlag<4, PIPE_V>(0); }), "this chip has modes 0, 1 and 2");
  expect_refused(launch([] { CrossCoreSetFlag<1, PIPE_V>(0); }), "mode 1 in a kernel of vector cores only");
  expect_refused(launch([] { CrossCoreSetFlag<0, PIPE_ALL>(0); }), "not PIPE_S or PIPE_ALL");
}

TEST(InterBlock, SetAndWait) {  // the example of the page IBSet: core 1 goes on when core 0 has finished
  std::vector<int32_t> words(2 * 8 * 2, 0);
  std::vector<int> order;
  const auto kernel = [&](bool sets) {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(words.data(), words.size());
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
    for (int round = 0; round < 4; ++round) {
      if (GetBlockIdx() == 1) IBWait(gm, ub, 0, 0);
      order.push_back(static_cast<int>(GetBlockIdx()));
      if (GetBlockIdx() == 0 && sets) IBSet(gm, ub, 0, 0);
    }
  };
  expect_clean(launch(2, 0, 1, [&] { kernel(true); }));
  ASSERT_EQ(order.size(), 8u);
  int zeros = 0, ones = 0;
  for (int i : order) {
    (i ? ones : zeros)++;
    EXPECT_LE(ones, zeros);
  }
  EXPECT_EQ(std::accumulate(words.begin(), words.end(), 0), 0);
  expect_refused(launch(2, 0, 1, [&] { kernel(false); }), Fault::Deadlock,
                 "AIV 1 waits for IBWait(blockIdx 0, eventID 0)", "no core has called IBSet");
  expect_refused(launch(2, 0, 1,
                        [&] {
                          GlobalTensor<int32_t> gm;
                          gm.SetGlobalBuffer(words.data(), words.size());
                          LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 8);
                          IBSet(gm, ub, 0, 2);
                        }),
                 "IBSet: gmWorkspace has 128 bytes, 160 are needed");
}

TEST(InterBlock, BlocksInOrder) {
  constexpr uint32_t blocks = 6, rounds = 3;
  std::vector<int32_t> words(blocks * 8, -12345);  // need not be zero
  std::vector<int> order;
  expect_clean(launch(blocks, 0, 1, [&] {
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(words.data(), words.size());
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, blocks * 8 + 8);
    InitDetermineComputeWorkspace(gm, ub);
    for (uint32_t r = 0; r < rounds; ++r) {
      WaitPreBlock(gm, ub);
      order.push_back(static_cast<int>(GetBlockIdx()));
      NotifyNextBlock(gm, ub);
    }
  }));
  ASSERT_EQ(order.size(), blocks * rounds);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i % blocks));
  expect_refused(launch(3, 0, 1,
                        [&] {
                          GlobalTensor<int32_t> gm;
                          gm.SetGlobalBuffer(words.data(), words.size());
                          LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 64);
                          InitDetermineComputeWorkspace(gm, ub);
                          WaitPreBlock(gm, ub);
                          if (GetBlockIdx() != 1) NotifyNextBlock(gm, ub);
                        }),
                 Fault::Deadlock, "AIV 2 waits for WaitPreBlock", "it is the turn of AIV 1");
}

alignas(512) uint8_t group_workspace[6 * 512];

TEST(GroupBarrier, WaitersGoWhenAllHaveArrived) {  // the example of the page GroupBarrier, three times over
  std::fill(std::begin(group_workspace), std::end(group_workspace), uint8_t{0});
  std::atomic<int> arrived{0}, wrong{0};
  expect_clean(launch(8, 0, 1, [&] {
    GroupBarrier<PipeMode::MTE3_MODE> bar(group_workspace, 2, 6);
    const auto id = static_cast<uint32_t>(GetBlockIdx());
    EXPECT_EQ(bar.GetWorkspaceLen(), 3072u);
    for (int round = 1; round <= 3; ++round) {
      if (id >= 6) {  // the last AIVs arrive: the first ones are there before
        ++arrived;
        bar.Arrive(id - 6);
      } else {
        bar.Wait(id);
        wrong += arrived < 2 * round;
      }
      SyncAll();
    }
  }));
  EXPECT_EQ(wrong, 0);
}

TEST(GroupBarrier, OneThatArrivesTwiceIsNotTwo) {
  std::fill(std::begin(group_workspace), std::end(group_workspace), uint8_t{0});
  const auto status = launch(3, 0, 1, [] {
    GroupBarrier<PipeMode::MTE3_MODE> bar(group_workspace, 2, 1);
    if (GetBlockIdx() == 1) bar.Arrive(0), bar.Arrive(0);
    if (GetBlockIdx() == 2) bar.Wait(0);
  });
  expect_refused(status, Fault::Deadlock, "GroupBarrier::Wait", "no Arrive of 1 of the group");
}

TEST(GroupBarrier, RefusesWhatCannotWork) {
  expect_refused(launch([] { GroupBarrier<PipeMode::MTE3_MODE>(group_workspace + 32, 1, 1).Wait(0); }),
                 "no multiple of 512 bytes");
  expect_refused(launch([] { GroupBarrier<PipeMode::MTE3_MODE>(group_workspace, 2, 1).Arrive(2); }),
                 "index 2 in a group of 2");
}

}  // namespace
