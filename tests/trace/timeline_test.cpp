// When instructions start, on timelines small enough to do by hand. The scalar unit takes a cycle to issue
// one.
#include "trace/timeline.h"

#include <gtest/gtest.h>

#include <numeric>

namespace {

using namespace toprope;
using namespace toprope::trace;

Work taking(Cycles busy, Cycles late = 0) {
  Work w;
  w.busy = busy;
  w.late = late;
  return w;
}

/// A core whose share of GM is 10 bytes a cycle, with 100 bytes of local memory.
Timeline fresh() {
  Timeline t;
  t.begin(0, 10, 100);
  return t;
}

Cycles sum(const Path& p) { return std::accumulate(p.pipe.begin(), p.pipe.end(), p.sync + p.unknown); }

TEST(Timeline, PipesRunBesideEachOtherAndOnePipeInOrder) {
  Timeline t = fresh();
  t.run(Pipe::V, taking(100), 0, 0);
  t.run(Pipe::MTE2, taking(50), 0, 1);
  t.run(Pipe::V, taking(10), 0, 2);
  EXPECT_EQ(t.event(0).start, 1);
  EXPECT_EQ(t.event(1).start, 2);
  EXPECT_EQ(t.event(2).start, 101);
  EXPECT_EQ(t.end(), 111);
  EXPECT_EQ(t.busy(Pipe::V), 110);
}

TEST(Timeline, AFlagMakesItsPipeWaitForTheResult) {
  Timeline t = fresh();
  t.run(Pipe::MTE2, taking(50, 20), 0, 0);  // 1 to 51, usable at 71
  t.set_flag(Pipe::MTE2, Pipe::V, 3);
  t.wait_flag(Pipe::MTE2, Pipe::V, 3, 7);
  t.run(Pipe::V, taking(10), 0, 1);
  t.run(Pipe::MTE2, taking(5), 0, 0);  // not held up
  EXPECT_EQ(t.event(1).start, 71);
  EXPECT_EQ(t.event(1).edge, Edge::Flag);
  EXPECT_EQ(t.event(1).by, 0u);
  EXPECT_EQ(t.event(1).wait, 7u);
  EXPECT_EQ(t.event(2).start, 51);
}

TEST(Timeline, AWaitOfTheScalarUnitHoldsUpWhateverItIssuesNext) {
  Timeline t = fresh();
  t.run(Pipe::V, taking(100), 0, 0);  // 1 to 101
  t.set_flag(Pipe::V, Pipe::S, 0);
  t.wait_flag(Pipe::V, Pipe::S, 0, 1);
  t.run(Pipe::MTE3, taking(5), 0, 2);
  EXPECT_EQ(t.event(1).start, 102);
}

TEST(Timeline, BarriersHoldOnePipeOrAll) {
  Timeline t = fresh();
  t.run(Pipe::MTE2, taking(50), 0, 0);
  t.barrier(Pipe::V, 1);
  t.run(Pipe::V, taking(10), 0, 2);
  EXPECT_EQ(t.event(1).start, 3);
  t.barrier(Pipe::ALL, 3);
  t.run(Pipe::MTE3, taking(10), 0, 4);
  EXPECT_EQ(t.event(2).start, 52);  // at 51 the scalar unit goes on and issues
}

TEST(Timeline, BuffersOfAQueueAreFilledAgainWhenTheyWereFreed) {
  Timeline t = fresh();
  const uint64_t buffer = 64;
  t.take(buffer, Pipe::V, Pipe::MTE2, 0);
  t.run(Pipe::MTE2, taking(50), 0, 0);
  t.give(buffer, Pipe::MTE2);
  t.take(buffer, Pipe::MTE2, Pipe::V, 1);
  t.run(Pipe::V, taking(30), 0, 1);
  t.give(buffer, Pipe::V);
  const Cycles freed = t.event(1).free;
  t.take(buffer, Pipe::V, Pipe::MTE2, 2);
  t.run(Pipe::MTE2, taking(50), 0, 0);
  EXPECT_EQ(t.event(2).start, freed);
  EXPECT_EQ(t.event(2).edge, Edge::Queue);
}

TEST(Timeline, CopiesShareGm) {
  Timeline t = fresh();
  t.run(Pipe::MTE2, taking(10), 1000, 0);  // 1000 bytes at 10 a cycle; 100 bytes were saved up
  EXPECT_TRUE(t.event(0).shared);
  EXPECT_EQ(t.event(0).free, 100);
  t.run(Pipe::MTE3, taking(10), 1000, 1);  // the other direction gets what is left
  EXPECT_EQ(t.event(1).free, 200);
}

TEST(Timeline, ACoreThatWasIdleCatchesUpNoFurtherThanItsLocalMemory) {
  Timeline t = fresh();
  t.run(Pipe::V, taking(1000), 0, 0);
  t.barrier(Pipe::ALL, 1);
  t.run(Pipe::MTE2, taking(10), 500, 2);
  EXPECT_EQ(t.event(1).free - t.event(1).start, 40);  // 100 bytes at once, 400 at 10 a cycle
}

TEST(Timeline, AFullQueueStopsTheScalarUnit) {
  Timeline t = fresh();
  for (int i = 0; i < 40; ++i) t.run(Pipe::V, taking(100), 0, 0);
  t.run(Pipe::MTE2, taking(1), 0, 1);
  // The 40th V instruction entered its queue of 32 when the 8th had started, at 1 + 7 * 100.
  EXPECT_EQ(t.event(40).start, 702 + 1);
}

TEST(Timeline, TheCriticalPathAddsUpToTheWhole) {
  Timeline t = fresh();
  for (int tile = 0; tile < 20; ++tile) {
    if (tile) t.wait_flag(Pipe::V, Pipe::MTE2, 0, 9);
    t.run(Pipe::MTE2, taking(30, 5), 100, 0);
    t.set_flag(Pipe::MTE2, Pipe::V, 0);
    t.wait_flag(Pipe::MTE2, Pipe::V, 0, 8);
    t.run(Pipe::V, taking(40), 0, 1);
    t.set_flag(Pipe::V, Pipe::MTE2, 0);
  }
  const Path p = t.path(10);
  EXPECT_NEAR(sum(p), t.end(), 1e-6);
  EXPECT_NEAR(p.pipe[static_cast<int>(Pipe::V)], 20 * 40, 1e-6);
  EXPECT_NEAR(p.place[0].own + p.place[1].own + p.pipe[0], t.end(), 1e-6);
  EXPECT_GT(p.place[9].held[static_cast<int>(Edge::Flag)], 0);
  EXPECT_EQ(p.unknown, 0);
}

TEST(Timeline, ALongBlockKeepsABoundedNumberOfEvents) {
  Timeline t = fresh();
  for (int i = 0; i < 100000; ++i) t.run(Pipe::V, taking(10), 0, 0);
  EXPECT_FALSE(t.remembers(0));
  const Path p = t.path(1);
  EXPECT_GT(p.unknown, 0);
  EXPECT_NEAR(sum(p), t.end(), 1e-3);
}

TEST(Timeline, WaitingForAnotherCoreIsItsOwnKindOfTime) {
  Timeline t = fresh();
  t.run(Pipe::V, taking(10), 0, 0);
  t.acquire(500, 1);
  t.run(Pipe::V, taking(10), 0, 0);
  EXPECT_EQ(t.end(), 511);
  const Path p = t.path(2);
  EXPECT_EQ(p.sync, 500 - 11);
}

}  // namespace
