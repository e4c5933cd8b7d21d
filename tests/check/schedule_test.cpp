// Schedules: a kernel with its waits gives the same numbers under every seed, one that lacks a wait does not.
#include "check/schedule.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "support/kernel.h"

namespace {

using namespace AscendC;
using toprope::check::Schedule;

constexpr uint32_t kElements = 64;

/// What the kernel leaves in `out` under a seed; 0 is the program's own order.
template <class Body>
std::vector<float> run_with(uint64_t seed, Body body, uint32_t blocks = 1) {
  std::vector<float> in(kElements * blocks), out(kElements * blocks, -1);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i + 1);
  GlobalTensor<float> source, target;
  source.SetGlobalBuffer(in.data(), in.size());
  target.SetGlobalBuffer(out.data(), out.size());
  Schedule schedule(seed);
  if (seed) {
    toprope::install(&schedule);
    toprope::set_deferral(&schedule);
  }
  const auto status = toprope::test::run_kernel([&] { body(source, target); }, blocks);
  toprope::set_deferral(nullptr);
  if (seed) toprope::uninstall(&schedule);
  EXPECT_EQ(status.report, "");
  return out;
}

/// Different results over the program's order and the seeds 1 … 40.
template <class Body>
size_t outcomes(Body body, uint32_t blocks = 1) {
  std::set<std::vector<float>> all;
  for (uint64_t seed = 0; seed <= 40; ++seed) all.insert(run_with(seed, body, blocks));
  return all.size();
}

LocalTensor<float> ub(uint32_t at) { return {TPosition::VECCALC, at, kElements}; }

template <HardEvent event>
void order() {
  SetFlag<event>(EVENT_ID0);
  WaitFlag<event>(EVENT_ID0);
}

TEST(Schedule, FlagsKeepTheNumbers) {
  EXPECT_EQ(outcomes([](auto source, auto target) {
              auto x = ub(0), y = ub(1024);
              for (int i = 0; i < 3; ++i) {
                DataCopy(x, source, kElements);
                order<HardEvent::MTE2_V>();
                Adds(y, x, 1.0f, kElements);
                Muls(y, y, 2.0f, kElements);
                order<HardEvent::V_MTE3>();
                DataCopy(target, y, kElements);
                order<HardEvent::MTE3_V>();
                order<HardEvent::V_MTE2>();
              }
            }),
            1u);
}

TEST(Schedule, AMissingWaitForTheCopyInChangesThem) {
  EXPECT_GT(outcomes([](auto source, auto target) {
              auto x = ub(0), y = ub(1024);
              Duplicate(x, 0.0f, kElements);
              PipeBarrier<PIPE_ALL>();
              DataCopy(x, source, kElements);
              Adds(y, x, 1.0f, kElements);
              order<HardEvent::V_MTE3>();
              DataCopy(target, y, kElements);
            }),
            1u);
}

TEST(Schedule, AMissingWaitForTheCopyOutChangesThem) {
  EXPECT_GT(outcomes([](auto source, auto target) {
              auto x = ub(0);
              DataCopy(x, source, kElements);
              order<HardEvent::MTE2_V>();
              Adds(x, x, 1.0f, kElements);
              order<HardEvent::V_MTE3>();
              DataCopy(target, x, kElements);
              Muls(x, x, 3.0f, kElements);
            }),
            1u);
}

TEST(Schedule, QueuesKeepTheNumbers) {
  EXPECT_EQ(outcomes(
                [](auto source, auto target) {
                  TPipe pipe;
                  TQue<TPosition::VECIN, 2> in;
                  TQue<TPosition::VECOUT, 2> out;
                  pipe.InitBuffer(in, 2, kElements * sizeof(float) / 4);
                  pipe.InitBuffer(out, 2, kElements * sizeof(float) / 4);
                  const auto from = source[GetBlockIdx() * kElements], to = target[GetBlockIdx() * kElements];
                  for (int i = 0; i < 4; ++i) {
                    auto x = in.AllocTensor<float>();
                    DataCopy(x, from[i * kElements / 4], kElements / 4);
                    in.EnQue(x);
                    x = in.DeQue<float>();
                    auto y = out.AllocTensor<float>();
                    Adds(y, x, 1.0f, kElements / 4);
                    in.FreeTensor(x);
                    out.EnQue(y);
                    y = out.DeQue<float>();
                    DataCopy(to[i * kElements / 4], y, kElements / 4);
                    out.FreeTensor(y);
                  }
                },
                3),
            1u);
}

TEST(Schedule, AScalarReadWaitsAsCompiled) {
  EXPECT_EQ(outcomes([](auto source, auto target) {
              auto x = ub(0), y = ub(1024);
              DataCopy(x, source, kElements);
              const float first = x.GetValue(0);
              order<HardEvent::MTE2_V>();
              Adds(y, x, first, kElements);
              order<HardEvent::V_MTE3>();
              DataCopy(target, y, kElements);
            }),
            1u);
}

TEST(Schedule, AtomicCopiesAddWhatWasSetWhenTheyWereIssued) {
  EXPECT_EQ(outcomes([](auto source, auto target) {
              auto x = ub(0);
              Duplicate(x, 5.0f, kElements);
              order<HardEvent::V_MTE3>();
              DataCopy(target, x, kElements);
              PipeBarrier<PIPE_MTE3>();
              SetAtomicAdd<float>();
              DataCopy(target, x, kElements);
              DisableDmaAtomic();
              (void)source;
            }),
            1u);
}

TEST(Schedule, BlocksRunInASeededOrder) {
  auto last_block = [](auto, auto target) {
    auto x = ub(0);
    Duplicate(x, static_cast<float>(GetBlockIdx()), kElements);
    order<HardEvent::V_MTE3>();
    DataCopy(target, x, kElements);
  };
  EXPECT_GT(outcomes(last_block, 4), 1u);
  for (uint64_t seed = 1; seed < 5; ++seed)
    EXPECT_EQ(run_with(seed, last_block, 4), run_with(seed, last_block, 4));
}

TEST(Schedule, WhatABlockLeftBeforeItsFlagIsThere) {
  std::vector<float> between(4 * kElements);
  GlobalTensor<float> meeting;
  meeting.SetGlobalBuffer(between.data(), between.size());
  EXPECT_EQ(outcomes(
                [&](auto source, auto target) {
                  auto x = ub(0);
                  DataCopy(x, source[GetBlockIdx() * kElements], kElements);
                  order<HardEvent::MTE2_MTE3>();
                  DataCopy(meeting[GetBlockIdx() * kElements], x, kElements);
                  CrossCoreSetFlag<0, PIPE_MTE3>(3);
                  CrossCoreWaitFlag(3);
                  order<HardEvent::MTE3_MTE2>();
                  DataCopy(x, meeting[(GetBlockIdx() + 1) % 4 * kElements], kElements);
                  order<HardEvent::MTE2_MTE3>();
                  DataCopy(target[GetBlockIdx() * kElements], x, kElements);
                },
                4),
            1u);
}

}  // namespace
