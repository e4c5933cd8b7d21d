// The profiler on small kernels: what overlaps, what waits, what comes from where.
#include "trace/profile.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <numeric>
#include <string>
#include <vector>

#include "base/soc.h"
#include "support/kernel.h"
#include "trace/report.h"

namespace {

/// The chip that the published measurements were made on. Set before the library reads it.
const bool chip_chosen = setenv("TOPROPE_SOC", "Ascend910B1", 1) == 0;

using namespace AscendC;
using toprope::trace::Cycles;
using toprope::trace::Edge;
using toprope::trace::KernelTotals;
using toprope::trace::PlaceTotals;
using toprope::trace::Profiler;

/// Profiles `launches` launches of one body.
struct Profiled {
  Profiler profiler;
  template <class Body>
  explicit Profiled(Body body, uint32_t blocks = 1, int launches = 1) {
    toprope::install(&profiler);
    for (int i = 0; i < launches; ++i) EXPECT_EQ(toprope::test::run_kernel(body, blocks).report, "");
    toprope::uninstall(&profiler);
  }
  const KernelTotals& kernel() const { return profiler.kernels().front(); }
  Cycles cycles() const { return kernel().cycles; }
  Cycles held(const std::string& name, Edge edge) const {
    Cycles sum = 0;
    for (size_t i = 0; i < kernel().places.size(); ++i)
      if (profiler.places()[i].name == name) sum += kernel().places[i].held[static_cast<int>(edge)];
    return sum;
  }
};

/// Starts at a line of L2, as aclrtMalloc's memory does: copies that straddle lines take longer.
class Memory {
 public:
  GlobalTensor<float> view(uint64_t at = 0) {
    GlobalTensor<float> t;
    t.SetGlobalBuffer(first_ + at, kSize - at);
    return t;
  }

 private:
  static constexpr size_t kSize = 1 << 20, kLine = 512;
  std::vector<float> data_ = std::vector<float>(kSize + kLine / sizeof(float), 1);
  float* first_ = data_.data() + (-reinterpret_cast<uintptr_t>(data_.data()) % kLine) / sizeof(float);
};

LocalTensor<float> ub(uint32_t at, uint32_t elements) { return {TPosition::VECCALC, at, elements}; }

/// A pipeline over queues with so many buffers each, whose sums take about as long as its copies.
void pipeline(Memory& m, uint8_t buffers) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, buffers, 16384);
  pipe.InitBuffer(out, buffers, 16384);
  for (uint32_t tile = 0; tile < 40; ++tile) {
    LocalTensor<float> x = in.AllocTensor<float>();
    DataCopy(x, m.view()[tile * 4096], 4096);
    in.EnQue(x);
    x = in.DeQue<float>();
    LocalTensor<float> z = out.AllocTensor<float>();
    for (int i = 0; i < 6; ++i) Adds(z, x, 1.0f, 4096);
    out.EnQue(z);
    in.FreeTensor(x);
    z = out.DeQue<float>();
    DataCopy(m.view(1 << 19)[tile * 4096], z, 4096);
    out.FreeTensor(z);
  }
}

TEST(Profile, TwoBuffersLetCopiesAndSumsOverlap) {
  Memory m;
  const Profiled one([&] { pipeline(m, 1); }), two([&] { pipeline(m, 2); });
  const KernelTotals& k = two.kernel();
  for (size_t p = 0; p < k.busy.size(); ++p) EXPECT_NEAR(k.busy[p], one.kernel().busy[p], 1e-6);
  const auto busy = [&](toprope::Pipe p) { return k.busy[static_cast<int>(p)]; };
  // With one buffer copies in and sums take turns; with two, the slower of them is nearly all of the time.
  EXPECT_GT(one.cycles(), busy(toprope::Pipe::V) + busy(toprope::Pipe::MTE2));
  EXPECT_LT(two.cycles(), 1.2 * std::max(busy(toprope::Pipe::V), busy(toprope::Pipe::MTE2)));
  EXPECT_GT(one.held("AllocTensor", Edge::Queue), one.cycles() / 4);
  EXPECT_LT(two.held("AllocTensor", Edge::Queue), two.cycles() / 4);
}

TEST(Profile, BlocksBeyondTheCoresRunInRounds) {
  const auto body = [] {
    for (int i = 0; i < 100; ++i) Duplicate(ub(0, 4096), 1.0f, 4096);
  };
  const uint32_t cores = toprope::soc().aiv;
  const Cycles one = Profiled(body, 1).cycles();
  EXPECT_GT(one, 100 * 64);
  EXPECT_EQ(Profiled(body, cores).cycles(), one);
  EXPECT_EQ(Profiled(body, cores + 1).cycles(), 2 * one);
  const Profiled three(body, 3 * cores);
  EXPECT_EQ(three.cycles(), 3 * one);
  EXPECT_NEAR(std::accumulate(three.kernel().critical.begin(), three.kernel().critical.end(), 0.0), 3 * one,
              1e-3);
}

TEST(Profile, CoresWaitForTheSlowestAtSyncAll) {
  const auto body = [] {
    const int rounds = GetBlockIdx() == 3 ? 100 : 1;
    for (int i = 0; i < rounds; ++i) Duplicate(ub(0, 4096), 1.0f, 4096);
    SyncAll();
    for (int i = 0; i < 50; ++i) Duplicate(ub(0, 4096), 1.0f, 4096);
  };
  const Profiled p(body, 4);
  const Cycles each = 64 + 11 + 13;
  EXPECT_NEAR(p.cycles(), 150 * each, 20);
  // 4 cores: what they compute is busy time, what they wait is not.
  EXPECT_NEAR(p.kernel().busy[static_cast<int>(toprope::Pipe::V)], (100 + 3 + 4 * 50) * each, 1);
}

TEST(Profile, AnyNumberOfBarriersIsRemembered) {
  const auto body = [] {
    for (int i = 0; i < 20000; ++i) {
      if (GetBlockIdx() == i % 4) Duplicate(ub(0, 64), 1.0f, 64);
      SyncAll();
    }
  };
  // Each barrier waits for one Duplicate of 25 cycles; the scalar unit issues and passes in between.
  const Cycles cycles = Profiled(body, 4).cycles();
  EXPECT_GT(cycles, 20000 * 25.0);
  EXPECT_LT(cycles, 20000 * 35.0);
}

TEST(Profile, WhatWasReadBeforeComesFromL2UnlessItGoesPastIt) {
  Memory m;
  const auto read = [&](bool past) {
    return [&m, past] {
      GlobalTensor<float> gm = m.view();
      if (past) gm.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
      for (int round = 0; round < 3; ++round)
        for (uint32_t tile = 0; tile < 8; ++tile) {
          DataCopy(ub(0, 8192), gm[tile * 8192], 8192);
          PipeBarrier<PIPE_ALL>();
        }
    };
  };
  const Profiled cached(read(false)), past(read(true));
  constexpr uint64_t bytes = 8 * 8192 * 4;
  EXPECT_EQ(cached.kernel().gm_read, 3 * bytes);
  EXPECT_NEAR(static_cast<double>(cached.kernel().l2_hits), 2.0 * bytes, 512);
  EXPECT_EQ(past.kernel().l2_hits, 0u);
  EXPECT_LT(cached.cycles(), past.cycles());
}

TEST(Profile, DataThatAllBlocksReadCrossesGmOnce) {
  Memory m;
  const auto body = [&] {
    for (uint32_t tile = 0; tile < 8; ++tile) {
      DataCopy(ub(0, 8192), m.view()[tile * 8192], 8192);
      PipeBarrier<PIPE_ALL>();
    }
  };
  const Profiled all(body, 40);
  constexpr uint64_t bytes = 8 * 8192 * 4;
  EXPECT_EQ(all.kernel().gm_read, 40 * bytes);
  EXPECT_NEAR(static_cast<double>(all.kernel().l2_hits), 39.0 * bytes, 512);
  // The first block alone would say that 40 cores share GM for it.
  EXPECT_LT(all.cycles(), 40 * bytes / 805.0);
}

/// asc-devkit, DataCopy best practice, scenarios 5 and 6: 48 cores read a matrix of 12288 x 12288 halves four
/// times in tiles of 64 x 1024, the whole or a quarter of its columns at a time.
class RepeatedCopies {
 public:
  static constexpr uint32_t kSide = 12288, kRows = 64, kColumns = 1024;
  explicit RepeatedCopies(uint32_t parts) : parts_(parts) {
    memory_ =
        mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  ~RepeatedCopies() { munmap(memory_, kBytes); }
  void operator()() const {
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer(static_cast<half*>(memory_), kBytes / 2);
    const LocalTensor<half> tile(TPosition::VECCALC, 0, kRows * kColumns);
    const uint32_t rows = kSide / 48, first = rows * static_cast<uint32_t>(GetBlockIdx()),
                   width = kSide / parts_;
    const DataCopyExtParams shape{kRows, kColumns * 2, (kSide - kColumns) * 2, 0, 0};
    for (uint32_t part = 0; part < parts_; ++part)
      for (int round = 0; round < 4; ++round)
        for (uint32_t row = first; row < first + rows; row += kRows)
          for (uint32_t column = part * width; column < (part + 1) * width; column += kColumns)
            DataCopyPad(tile, gm[uint64_t{row} * kSide + column], shape, DataCopyPadExtParams<half>{});
  }

 private:
  static constexpr size_t kBytes = size_t{kSide} * kSide * 2;
  uint32_t parts_;
  void* memory_;
};

TEST(Profile, PublishedCopiesThatL2ServesOrNot) {
  const RepeatedCopies whole(1), quarters(4);
  const Profiled a([&] { whole(); }, 48), b([&] { quarters(); }, 48);
  const auto hits = [](const Profiled& p) {
    return static_cast<double>(p.kernel().l2_hits) / static_cast<double>(p.kernel().gm_read);
  };
  EXPECT_NEAR(hits(a), 0.00005, 0.001);
  EXPECT_NEAR(hits(b), 0.75, 0.001);
  EXPECT_NEAR(a.cycles() / 1850 / 816.05, 1, 0.02);
  EXPECT_NEAR(b.cycles() / 1850 / 354.56, 1, 0.06);
}

TEST(Profile, SingleElementsTakeTheScalarUnit) {
  const Profiled p([] {
    const auto t = ub(0, 64);
    for (uint32_t i = 0; i < 64; ++i) t.SetValue(i, 1.0f);
  });
  EXPECT_NEAR(p.cycles(), 64 * 11.3, 1e-6);
  EXPECT_NEAR(p.kernel().critical[static_cast<int>(toprope::Pipe::S)], p.cycles(), 1e-6);
}

TEST(Profile, LaunchesOfOneKernelAddUp) {
  const auto body = [] { Duplicate(ub(0, 64), 1.0f, 64); };
  const Cycles once = Profiled(body, 2).cycles();
  const Profiled p(body, 2, 5);
  EXPECT_EQ(p.profiler.kernels().size(), 1u);
  EXPECT_EQ(p.kernel().launches, 5u);
  EXPECT_NEAR(p.cycles(), 5 * once, 1e-6);
  EXPECT_EQ(p.kernel().shortest, p.kernel().longest);
  EXPECT_EQ(p.profiler.kept().size(), 10u);
}

TEST(Profile, ThePictureIsBoundedAndSaysWhatItLacks) {
  const Profiled p(
      [] {
        for (int i = 0; i < 5000; ++i) Duplicate(ub(0, 64), 1.0f, 64);
      },
      20, 10);
  EXPECT_LE(p.profiler.kept().size(), 60000u);
  EXPECT_EQ(p.profiler.kept().size() + p.profiler.left_out(), 20u * 5000 * 10);
  EXPECT_EQ(p.kernel().events, 20u * 5000 * 10);
  EXPECT_LT(toprope::trace::report(p.profiler).size(), 10u << 20);
}

}  // namespace
