// The checks on kernels that lack one wait, and on their corrected twins, which must be silent.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "check/init.h"
#include "check/race.h"
#include "support/kernel.h"

namespace {

using namespace AscendC;
using toprope::check::reporter;

/// Findings that `body` adds while Check watches. Places already known do not count again, so every kernel
/// under test has its own lines.
template <class Check, class Body>
size_t findings(Body body, uint32_t blocks = 1) {
  Check check;
  toprope::install(&check);
  const size_t before = reporter().size();
  const auto status = toprope::test::run_kernel(body, blocks);
  toprope::uninstall(&check);
  EXPECT_EQ(status.report, "");
  return reporter().size() - before;
}

struct Memory {
  std::vector<float> in = std::vector<float>(1024, 1), out = std::vector<float>(1024);
  GlobalTensor<float> source() { return view(in); }
  GlobalTensor<float> target() { return view(out); }
  static GlobalTensor<float> view(std::vector<float>& v) {
    GlobalTensor<float> t;
    t.SetGlobalBuffer(v.data(), v.size());
    return t;
  }
};

LocalTensor<float> ub(uint32_t at, uint32_t elements = 64) { return {TPosition::VECCALC, at, elements}; }

TEST(Race, CopyThenComputeWithoutAWait) {
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>([&] {
              auto t = ub(0), d = ub(1024);
              DataCopy(t, m.source(), 64);
              Adds(d, t, 1.0f, 64);
            }),
            1u);
  EXPECT_EQ(findings<toprope::check::Race>([&] {
              auto t = ub(0), d = ub(1024);
              DataCopy(t, m.source(), 64);
              SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
              WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
              Adds(d, t, 1.0f, 64);
            }),
            0u);
}

TEST(Race, OverwritingWhatACopyStillReads) {
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>([&] {
              auto t = ub(0);
              DataCopy(m.target(), t, 64);
              Duplicate(t, 2.0f, 64);
            }),
            1u);
  EXPECT_EQ(findings<toprope::check::Race>([&] {
              auto t = ub(0);
              DataCopy(m.target(), t, 64);
              PipeBarrier<PIPE_ALL>();
              Duplicate(t, 2.0f, 64);
            }),
            0u);
}

TEST(Race, TheWrongFlagOrdersNothing) {
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>([&] {
              auto t = ub(0), d = ub(1024);
              DataCopy(t, m.source(), 64);
              SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
              WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
              Adds(d, t, 1.0f, 64);
            }),
            1u);
}

TEST(Race, QueuesOrderTheirTensors) {
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>([&] {
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
            }),
            0u);
}

TEST(Race, TheCompilerOrdersVectorAndScalar) {
  EXPECT_EQ(findings<toprope::check::Race>([] {
              auto t = ub(0), d = ub(1024);
              Duplicate(t, 1.0f, 64);
              Adds(d, t, 1.0f, 64);
              d.SetValue(0, d.GetValue(1));
              Adds(t, d, 1.0f, 64);
            }),
            0u);
}

TEST(Race, BlocksThatWriteTheSameBytes) {  // facts/cases B11
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>(
                [&] {
                  auto t = ub(0);
                  DataCopy(m.target()[static_cast<uint64_t>(GetBlockIdx()) * 32], t, 64);
                },
                2),
            1u);
  EXPECT_EQ(findings<toprope::check::Race>(
                [&] {
                  auto t = ub(0);
                  DataCopy(m.target()[static_cast<uint64_t>(GetBlockIdx()) * 64], t, 64);
                },
                2),
            0u);
}

TEST(Race, AtomicAddsMayMeet) {  // facts/cases B10
  Memory m;
  EXPECT_EQ(findings<toprope::check::Race>(
                [&] {
                  auto t = ub(0);
                  Duplicate(t, 3.0f, 64);
                  PipeBarrier<PIPE_ALL>();
                  SetAtomicAdd<float>();
                  DataCopy(m.target(), t, 64);
                  SetAtomicNone();
                },
                4),
            0u);
  EXPECT_EQ(m.out[0], 12);
}

TEST(Init, ReadsOfWhatNothingWrote) {
  EXPECT_EQ(findings<toprope::check::Init>([] {
              auto t = ub(0), d = ub(1024);
              Adds(d, t, 1.0f, 64);
            }),
            1u);
  EXPECT_EQ(findings<toprope::check::Init>([] {
              auto t = ub(0), d = ub(1024);
              Duplicate(t, 1.0f, 64);
              Adds(d, t, 1.0f, 64);
            }),
            0u);
  EXPECT_EQ(findings<toprope::check::Init>([] {  // one element too many
              auto t = ub(0), d = ub(1024);
              Duplicate(t, 1.0f, 63);
              Adds(d, t, 1.0f, 64);
            }),
            1u);
}

TEST(Init, AFreedBufferStartsAnew) {
  EXPECT_EQ(findings<toprope::check::Init>([] {
              TPipe pipe;
              TQue<TPosition::VECIN, 1> in;
              pipe.InitBuffer(in, 1, 256);
              LocalTensor<float> t = in.AllocTensor<float>();
              Duplicate(t, 1.0f, 64);
              in.FreeTensor(t);
              t = in.AllocTensor<float>();
              Adds(t, t, 1.0f, 64);
              in.FreeTensor(t);
            }),
            1u);
}

}  // namespace
