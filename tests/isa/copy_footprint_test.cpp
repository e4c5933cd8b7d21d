// What observers are told about copies: instruction, pipe and the exact bytes of each operand.
#include <algorithm>
#include <set>

#include "machine/observer.h"
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;
using toprope::Access;
using toprope::Pipe;

struct Seen {
  std::string name;
  Pipe pipe;
  std::vector<Access> accesses;
};

class Recorder : public toprope::Observer {
 public:
  Recorder() { toprope::install(this); }
  ~Recorder() override { toprope::uninstall(this); }
  void on_instruction(toprope::Core&, const toprope::Instruction& instruction,
                      std::span<const Access> accesses, toprope::Site) override {
    seen.push_back({instruction.name, instruction.pipe, {accesses.begin(), accesses.end()}});
  }
  std::vector<Seen> seen;
};

/// The bytes of an access, relative to `origin`.
std::set<uint64_t> bytes_of(const Access& a, uint64_t origin) {
  std::set<uint64_t> all;
  for (uint32_t r = 0; r < a.repeats; ++r)
    for (uint32_t b = 0; b < a.blocks; ++b)
      for (uint32_t i = 0; i < a.run; ++i)
        all.insert(a.slice.at - origin + r * a.repeat_stride + b * a.block_stride + i);
  return all;
}

std::set<uint64_t> ranges(std::initializer_list<std::pair<int, int>> list) {
  std::set<uint64_t> all;
  for (auto [from, to] : list)
    for (int i = from; i < to; ++i) all.insert(static_cast<uint64_t>(i));
  return all;
}

class CopyFootprint : public ::testing::Test {
 protected:
  template <class Body>
  void run(Body body) {
    const auto status = run_kernel([&] {
      auto t = tensor<half>(0, std::vector<half>(1024));
      body(t, gm());
    });
    ASSERT_EQ(status.report, "");
  }
  GlobalTensor<half> gm() {
    GlobalTensor<half> g;
    g.SetGlobalBuffer(memory.data(), memory.size());
    return g;
  }
  uint64_t origin() const { return reinterpret_cast<uintptr_t>(memory.data()); }
  const Access& side(size_t instruction, bool write) {
    const auto& all = recorder.seen.at(instruction).accesses;
    return *std::find_if(all.begin(), all.end(), [=](const Access& a) { return a.write == write; });
  }
  std::vector<half> memory = std::vector<half>(1024);
  Recorder recorder;
};

TEST_F(CopyFootprint, CountIsRoundedDown) {
  run([](auto& t, auto g) { DataCopy(t[16], g[8], 20); });
  ASSERT_EQ(recorder.seen.size(), 1u);
  EXPECT_EQ(recorder.seen[0].name, "DataCopy");
  EXPECT_EQ(recorder.seen[0].pipe, Pipe::MTE2);
  EXPECT_EQ(bytes_of(side(0, true), 0), ranges({{32, 64}}));
  EXPECT_EQ(bytes_of(side(0, false), origin()), ranges({{16, 48}}));
  EXPECT_EQ(side(0, false).slice.mem, toprope::Mem::GM);
  EXPECT_EQ(side(0, false).slice.begin, origin());
  EXPECT_EQ(side(0, false).slice.end, origin() + 2048);
}

TEST_F(CopyFootprint, PipesOfThePaths) {
  run([](auto& t, auto g) {
    DataCopy(g, t, 32);
    DataCopy(t[512], t, 32);
    DataCopyPad(g, t, DataCopyExtParams(1, 6, 0, 0, 0));
    Duplicate(t, half(1), 16);
    SetAtomicAdd<half>();
  });
  const Pipe want[] = {Pipe::MTE3, Pipe::V, Pipe::MTE3, Pipe::V, Pipe::S};
  ASSERT_EQ(recorder.seen.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(recorder.seen[i].pipe, want[i]) << recorder.seen[i].name;
}

TEST_F(CopyFootprint, BlocksAndGaps) {
  run([](auto& t, auto g) { DataCopy(t, g, DataCopyParams(2, 1, 3, 1)); });
  EXPECT_EQ(bytes_of(side(0, true), 0), ranges({{0, 32}, {64, 96}}));
  EXPECT_EQ(bytes_of(side(0, false), origin()), ranges({{0, 32}, {128, 160}}));
}

TEST_F(CopyFootprint, PaddingIsWrittenNotRead) {
  run([](auto& t, auto g) {
    DataCopyPad(t, g, DataCopyExtParams(2, 18, 2, 0, 0), DataCopyPadExtParams<half>());
    DataCopyPad(g, t, DataCopyExtParams(2, 18, 1, 2, 0));
  });
  EXPECT_EQ(bytes_of(side(0, true), 0), ranges({{0, 64}}));
  EXPECT_EQ(bytes_of(side(0, false), origin()), ranges({{0, 18}, {20, 38}}));
  EXPECT_EQ(bytes_of(side(1, true), origin()), ranges({{0, 18}, {20, 38}}));
  EXPECT_EQ(bytes_of(side(1, false), 0), ranges({{0, 18}, {64, 82}}));
}

// DataCopyPad, isPad: without a value the padding is random, and what was copied is not.
TEST_F(CopyFootprint, RandomPaddingIsToldApart) {
  run([](auto& t, auto g) {
    DataCopyPad(t, g, DataCopyExtParams(2, 18, 2, 0, 0), DataCopyPadExtParams<half>(false, 3, 2, half(0)));
    DataCopyPad(t, g, DataCopyExtParams(2, 18, 2, 0, 0), DataCopyPadExtParams<half>(true, 3, 2, half(0)));
  });
  std::set<uint64_t> random, copied;
  for (const Access& a : recorder.seen.at(0).accesses)
    if (a.write) (a.random ? random : copied).merge(bytes_of(a, 0));
  EXPECT_EQ(random, ranges({{0, 6}, {24, 38}, {56, 64}}));
  EXPECT_EQ(copied, ranges({{6, 24}, {38, 56}}));
  EXPECT_EQ(bytes_of(side(1, true), 0), ranges({{0, 64}}));
  EXPECT_FALSE(side(1, true).random);
}

TEST_F(CopyFootprint, LayoutsAndSlices) {
  SliceInfo src[] = {{16, 31, 0, 1, 64}, {1, 3, 1, 1, 4}}, dst[] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}};
  run([&](auto& t, auto g) {
    DataCopy(t, g, Nd2NzParams{1, 2, 24, 0, 32, 3, 1, 0});
    DataCopy(g, t, Nz2NdParamsFull{1, 2, 32, 1, 4, 40, 1});
    DataCopy(t, g, dst, src, 2);
  });
  ASSERT_EQ(recorder.seen.size(), 4u);
  EXPECT_EQ(bytes_of(side(0, true), 0), ranges({{0, 64}, {96, 160}}));
  EXPECT_EQ(bytes_of(side(0, false), origin()), ranges({{0, 48}, {64, 112}}));
  EXPECT_EQ(bytes_of(side(1, true), origin()), ranges({{0, 64}, {80, 144}}));
  EXPECT_EQ(bytes_of(side(1, false), 0), ranges({{0, 64}, {128, 192}}));
  EXPECT_EQ(bytes_of(side(2, false), origin()), ranges({{160, 192}}));
  EXPECT_EQ(bytes_of(side(3, false), origin()), ranges({{416, 448}}));
  EXPECT_EQ(bytes_of(side(3, true), 0), ranges({{32, 64}}));
}

TEST_F(CopyFootprint, AtomicStoresAreMarked) {
  run([](auto& t, auto g) {
    SetAtomicAdd<half>();
    DataCopy(g, t, 32);
    DataCopy(t, g, 32);
    DisableDmaAtomic();
    DataCopy(g, t, 32);
  });
  ASSERT_EQ(recorder.seen.size(), 5u);
  EXPECT_TRUE(side(1, true).atomic);
  EXPECT_FALSE(side(2, true).atomic);
  EXPECT_FALSE(side(4, true).atomic);
}

TEST_F(CopyFootprint, CopyInCounterModeEndsInsideABlock) {
  run([](auto& t, auto) {
    toprope::core().mask.counter = true;
    Copy(t, t[512], uint64_t{20}, 2, {2, 1, 8, 8});
  });
  std::set<uint64_t> written;
  for (const Access& a : recorder.seen.at(0).accesses)
    if (a.write) written.merge(bytes_of(a, 0));
  EXPECT_EQ(written, ranges({{0, 32}, {64, 72}, {256, 288}, {320, 328}}));
}

}  // namespace
