// Kernels that lack one wait, and their corrected twins, which must be silent.
#include "check/race.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Race;
using toprope::test::Arrays;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::Shape;
using toprope::test::ub;

constexpr Shape kManual{1, 0, 1, false};  // --cce-auto-sync=off

TEST(Race, CopyThenComputeWithoutAWait) {
  Arrays m;
  expect_one(findings<Race>([&] {
               auto t = ub(0), d = ub(1024);
               DataCopy(t, m.source(), 64);
               Adds(d, t, 1.0f, 64);
             }),
             "race.raw",
             {"Adds (PIPE_V) reads src", "bytes 0 to 256 of UB", "DataCopy (PIPE_MTE2)",
              "SetFlag<HardEvent::MTE2_V>(id) after DataCopy", "WaitFlag<HardEvent::MTE2_V>(id) before Adds",
              "EnQue, DeQue", "Adds (PIPE_V) reads here", "DataCopy (PIPE_MTE2) wrote here"});
  expect_silent(findings<Race>([&] {
    auto t = ub(0), d = ub(1024);
    DataCopy(t, m.source(), 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(d, t, 1.0f, 64);
  }));
}

TEST(Race, OverwritingWhatACopyStillReads) {
  Arrays m;
  expect_one(findings<Race>([&] {
               auto t = ub(0);
               DataCopy(m.target(), t, 64);
               Duplicate(t, 2.0f, 64);
             }),
             "race.war", {"HardEvent::MTE3_V"});
  expect_silent(findings<Race>([&] {
    auto t = ub(0);
    DataCopy(m.target(), t, 64);
    PipeBarrier<PIPE_ALL>();
    Duplicate(t, 2.0f, 64);
  }));
}

TEST(Race, TheWrongFlagOrdersNothing) {
  Arrays m;
  expect_one(findings<Race>([&] {
               auto t = ub(0), d = ub(1024);
               DataCopy(t, m.source(), 64);
               SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
               WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
               Adds(d, t, 1.0f, 64);
             }),
             "race.raw", {"HardEvent::MTE2_V"});
}

TEST(Race, AFlagSetTooEarlyOrdersNothing) {
  Arrays m;
  expect_one(findings<Race>([&] {
               auto t = ub(0), d = ub(1024);
               DataCopy(ub(2048), m.source(), 64);
               SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
               DataCopy(t, m.source(), 64);
               WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
               Adds(d, t, 1.0f, 64);
             }),
             "race.raw");
}

TEST(Race, QueuesOrderTheirTensors) {
  Arrays m;
  expect_silent(findings<Race>([&] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, 256);
    pipe.InitBuffer(out, 2, 256);
    for (int tile = 0; tile < 8; ++tile) {
      LocalTensor<float> t = in.AllocTensor<float>();
      DataCopy(t, m.source()[tile * 64], 64);
      in.EnQue(t);
      t = in.DeQue<float>();
      LocalTensor<float> d = out.AllocTensor<float>();
      Adds(d, t, 1.0f, 64);
      out.EnQue(d);
      in.FreeTensor(t);
      d = out.DeQue<float>();
      DataCopy(m.target()[tile * 64], d, 64);
      out.FreeTensor(d);
    }
  }));
}

TEST(Race, ATensorThatWasNotEnqueued) {
  Arrays m;
  expect_one(findings<Race>([&] {
               TPipe pipe;
               TQue<TPosition::VECIN, 1> in;
               pipe.InitBuffer(in, 1, 256);
               LocalTensor<float> t = in.AllocTensor<float>();
               DataCopy(t, m.source(), 64);
               Adds(ub(1024), t, 1.0f, 64);
               in.FreeTensor(t);
             }),
             "race.raw", {"EnQue, DeQue"});
}

TEST(Race, TheCompilerOrdersVectorAndScalar) {
  const auto body = [] {
    auto t = ub(0), d = ub(1024);
    Duplicate(t, 1.0f, 64);
    Adds(d, t, 1.0f, 64);
    d.SetValue(0, d.GetValue(1));
    Adds(t, d, 1.0f, 64);
  };
  expect_silent(findings<Race>(body));
}

TEST(Race, WithoutAutomaticSyncTheVectorUnitNeedsBarriers) {
  expect_one(findings<Race>(
                 [] {
                   auto t = ub(0), d = ub(1024);
                   Duplicate(t, 1.0f, 64);
                   Adds(d, t, 1.0f, 64);
                 },
                 kManual),
             "race.raw", {"Adds (PIPE_V)", "Duplicate (PIPE_V)", "PipeBarrier<PIPE_V>()"});
  expect_silent(findings<Race>(
      [] {
        auto t = ub(0), d = ub(1024);
        Duplicate(t, 1.0f, 64);
        PipeBarrier<PIPE_V>();
        Adds(d, t, 1.0f, 64);
      },
      kManual));
}

TEST(Race, WithoutAutomaticSyncTheScalarUnitNeedsFlags) {  // facts/cases B01
  expect_one(findings<Race>(
                 [] {
                   auto t = ub(0);
                   Duplicate(t, 1.0f, 64);
                   (void)t.GetValue(3);
                 },
                 kManual),
             "race.raw", {"GetValue (PIPE_S)", "HardEvent::V_S"});
  expect_one(findings<Race>(
                 [] {
                   auto t = ub(0), d = ub(1024);
                   t.SetValue(0, 1.0f);
                   Adds(d, t, 1.0f, 8);
                 },
                 kManual),
             "race.raw", {"SetValue (PIPE_S)", "HardEvent::S_V"});
  Arrays m;
  expect_one(findings<Race>(
                 [&] {
                   auto t = ub(0);
                   t.SetValue(0, 1.0f);
                   DataCopy(m.target(), t, 8);
                 },
                 kManual),
             "race.raw", {"HardEvent::S_MTE3"});
  expect_silent(findings<Race>(
      [] {
        auto t = ub(0);
        Duplicate(t, 1.0f, 64);
        SetFlag<HardEvent::V_S>(EVENT_ID0);
        WaitFlag<HardEvent::V_S>(EVENT_ID0);
        (void)t.GetValue(3);
      },
      kManual));
}

TEST(Race, CopiesIntoTheSameBytes) {  // constraints, section 2: MTE2/MTE2 and MTE3/MTE3 overlap
  Arrays m;
  expect_one(findings<Race>([&] {
               DataCopy(ub(0), m.source(), 64);
               DataCopy(ub(128), m.source(), 64);
               PipeBarrier<PIPE_ALL>();
               Adds(ub(1024), ub(128), 1.0f, 64);
             }),
             "race.waw",
             {"DataCopy (PIPE_MTE2) writes dst, bytes 128 to 256", "DataCopy (PIPE_MTE2) may still write",
              "PipeBarrier<PIPE_MTE2>()"});
  expect_silent(findings<Race>([&] {
    DataCopy(ub(0), m.source(), 64);
    PipeBarrier<PIPE_MTE2>();
    DataCopy(ub(128), m.source(), 64);
    PipeBarrier<PIPE_ALL>();
    Adds(ub(1024), ub(128), 1.0f, 64);
  }));
  expect_silent(findings<Race>([&] {  // nobody looks at what is left of the two
    DataCopy(ub(0), m.source(), 64);
    DataCopy(ub(0), m.source(), 64);
    PipeBarrier<PIPE_ALL>();
    Duplicate(ub(0), 1.0f, 64);
    Adds(ub(1024), ub(0), 1.0f, 64);
  }));
  expect_one(findings<Race>([&] {
               DataCopy(m.target(), ub(0), 64);
               DataCopy(m.target()[32], ub(0), 64);
             }),
             "race.waw", {"PipeBarrier<PIPE_MTE3>()"});
  expect_silent(findings<Race>([&] {
    DataCopy(m.target(), ub(0), 64);
    DataCopy(m.target()[64], ub(0), 64);
  }));
}

TEST(Race, ALoopIsHeldAgainstItsPastIterations) {
  Arrays m;
  expect_one(findings<Race>([&] {
               auto t = ub(0);
               for (int tile = 0; tile < 4; ++tile) DataCopy(t, m.source()[tile * 64], 64);
               PipeBarrier<PIPE_ALL>();
               Adds(ub(1024), t, 1.0f, 64);
             }),
             "race.waw");
}

TEST(Race, AnInstructionDoesNotRaceWithItself) {
  expect_silent(findings<Race>(
      [] {
        auto t = ub(0, 512);
        Duplicate(t, 1.0f, 64);
        PipeBarrier<PIPE_V>();
        Adds(t, t, 1.0f, 64, 4, {1, 1, 0, 0});  // every repeat into the same bytes
      },
      kManual));
}

/// Pieces that a Race remembers at the end of a kernel's last block, after `body(i)` for i below `times`.
template <class Body>
size_t pieces(int times, Body body) {
  Race race;
  toprope::install(&race);
  size_t size = 0;
  toprope::test::run_shaped(
      [&] {
        for (int i = 0; i < times; ++i) body(i);
        size = race.size();
      },
      Shape{});
  toprope::uninstall(&race);
  return size;
}

TEST(Race, MemoryDoesNotGrowWithTheLoop) {
  Arrays m;
  const auto tile = [&](int i) {
    DataCopy(ub(0), m.source()[i % 4 * 64], 64);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Adds(ub(1024), ub(0), 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(m.target()[i % 4 * 64], ub(1024), 64);
    PipeBarrier<PIPE_ALL>();
  };
  EXPECT_EQ(pieces(8, tile), pieces(4000, tile));
}

TEST(Race, NeighboursOfOneEpochAreOnePiece) {
  std::vector<int32_t> gm(1 << 20);
  GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(gm.data(), gm.size());
  EXPECT_LE(pieces(1 << 20, [&](int i) { t.SetValue(static_cast<uint64_t>(i), i); }), 32u);
}

TEST(Race, ManyPiecesOfAPageAreTakenTogether) {
  std::vector<int32_t> gm(1 << 20);
  GlobalTensor<int32_t> t;
  t.SetGlobalBuffer(gm.data(), gm.size());
  EXPECT_LE(pieces(1 << 20,
                   [&](int i) {
                     t.SetValue(static_cast<uint64_t>(i), i);
                     PipeBarrier<PIPE_ALL>();
                   }),
            18u * 2048u);  // 17 pages of 256 KiB
}

}  // namespace
