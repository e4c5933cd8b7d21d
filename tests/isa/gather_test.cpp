// Gather and Gatherb: elements and DataBlocks by byte offset (facts A16).
#include <map>
#include <random>
#include <set>

#include "machine/observer.h"
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

template <class T>
std::vector<T> numbered(size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<int>(i % 2048) - 1000);
  return v;
}

class GatherTest : public BothTargets {
 protected:
  template <class T>
  void every_count() {
    const std::vector<T> in = numbered<T>(2048);
    std::mt19937 random(7);
    for (uint32_t count : {0u, 1u, 3u, 15u, 17u, 64u, 127u, 1000u, 2048u})
      for (uint32_t base : {0u, 64u}) {
        std::vector<uint32_t> offsets(2048);
        for (uint32_t& o : offsets)
          o = static_cast<uint32_t>(random() % (2048 - base / sizeof(T)) * sizeof(T));
        std::vector<T> got, want(2048, static_cast<T>(-1));
        for (uint32_t i = 0; i < count; ++i) want[i] = in[(base + offsets[i]) / sizeof(T)];
        const auto status = run_kernel([&] {
          auto d = tensor<T>(0, std::vector<T>(2048, static_cast<T>(-1)));
          Gather(d, tensor<T>(32768, in), tensor<uint32_t>(65536, offsets), base, count);
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(got, want,
                    std::to_string(count) + " elements of " + std::to_string(sizeof(T)) + " bytes");
      }
  }
};

TEST_P(GatherTest, EveryType) {
  every_count<int16_t>();
  every_count<uint16_t>();
  every_count<half>();
  every_count<bfloat16_t>();
  every_count<int32_t>();
  every_count<uint32_t>();
  every_count<float>();
}

TEST_P(GatherTest, MasksRepeatsAndTheCounter) {
  const uint64_t bits[2] = {0x8000000000000005, 0xff00};
  std::vector<uint32_t> offsets(512);
  for (uint32_t i = 0; i < 512; ++i) offsets[i] = (511 - i) * 2;
  const std::vector<half> in = numbered<half>(512);
  std::vector<half> by_count, by_bits, counted, untouched;
  const auto status = run_kernel([&] {
    auto s = tensor<half>(16384, in);
    auto o = tensor<uint32_t>(32768, offsets);
    auto d = tensor<half>(0, std::vector<half>(1024, half(-1)));
    Gather(d, s, o, 0u, uint64_t{100}, 3, 20);
    by_count = values(d);
    auto e = tensor<half>(4096, std::vector<half>(1024, half(-1)));
    Gather(e, s, o, 0u, bits, 3, 20);
    by_bits = values(e);
    auto f = tensor<half>(8192, std::vector<half>(1024, half(-1)));
    Gather(f, s, o, 0u, uint64_t{100}, 0, 20);
    untouched = values(f);
    SetMaskCount();
    Gather(f, s, o, 0u, uint64_t{300}, 1, 8);
    SetMaskNorm();
    counted = values(f);
  });
  ASSERT_EQ(status.report, "");
  std::vector<half> want_count(1024, half(-1)), want_bits = want_count, want_counted = want_count;
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 128; ++i) {
      if (i < 100) want_count[r * 320 + i] = in[511 - (r * 128 + i)];
      if (bits[i / 64] >> (i % 64) & 1) want_bits[r * 320 + i] = in[511 - (r * 128 + i)];
    }
  for (int i = 0; i < 300; ++i) want_counted[i] = in[511 - i];
  expect_same(by_count, want_count, "mask count");
  expect_same(by_bits, want_bits, "mask bits");
  expect_same(untouched, std::vector<half>(1024, half(-1)), "no repeats");
  expect_same(counted, want_counted, "counter mode");
}

TEST_P(GatherTest, Blocks) {
  std::vector<uint32_t> offsets(16);
  for (uint32_t i = 0; i < 16; ++i) offsets[i] = (i * 7 % 16) * 32;
  const std::vector<uint16_t> in = numbered<uint16_t>(256);
  for (uint8_t block : {0, 1, 3}) {  // 0 counts as 1
    std::vector<uint16_t> got, want(2048, 9999);
    for (int r = 0; r < 2; ++r)
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 16; ++i)
          want[(r * 30 + j * (block ? block : 1)) * 16 + i] = in[offsets[r * 8 + j] / 2 + i];
    const auto status = run_kernel([&] {
      auto d = tensor<uint16_t>(0, std::vector<uint16_t>(2048, 9999));
      Gatherb(d, tensor<uint16_t>(8192, in), tensor<uint32_t>(16384, offsets), 2,
              GatherRepeatParams(block, 30));
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, "block stride " + std::to_string(block));
  }
}

std::string report_of_gather(std::vector<uint32_t> offsets, uint32_t base = 0, uint32_t at = 0) {
  return run_kernel([&] {
           auto s = tensor<float>(1024, std::vector<float>(64));
           Gather(tensor<float>(at, std::vector<float>(64)), s, tensor<uint32_t>(4096, offsets), base,
                  static_cast<uint32_t>(offsets.size()));
         })
      .report;
}

TEST_P(GatherTest, Refusals) {
  EXPECT_EQ(report_of_gather({0, 252}), "");
  const auto expect = [](const std::string& report, const char* text) {
    EXPECT_NE(report.find(text), std::string::npos) << report;
  };
  expect(report_of_gather({0, 4, 5}), "Gather: offset 2 is 5: byte 5 of src is not a multiple of 4");
  expect(report_of_gather({0, 256}), "Gather: offset 1 is 256: it leaves src, which has 256 bytes");
  expect(report_of_gather({0, 4}, 252), "offset 1 is 4, from byte 252 of src: it leaves src");
  expect(report_of_gather({0}, 2), "byte 2 of src is not a multiple of 4");
  expect(report_of_gather({0xfffffffc}), "it leaves src");
  expect(report_of_gather({0, 4}, 0, 1024), "Gather: dst and src share bytes of UB from byte 1024 on");
  expect(report_of_gather({0, 4}, 0, 4096), "Gather: dst and srcOffset share bytes of UB");
  const auto blocks = [](uint32_t offset) {
    return run_kernel([&] {
             Gatherb(tensor<uint32_t>(0, std::vector<uint32_t>(64)),
                     tensor<uint32_t>(1024, std::vector<uint32_t>(64)),
                     tensor<uint32_t>(4096, std::vector<uint32_t>(8, offset)), 1, {1, 8});
           })
        .report;
  };
  EXPECT_EQ(blocks(224), "");
  expect(blocks(16), "Gatherb: offset 0 is 16: byte 16 of src is not a multiple of 32");
  expect(blocks(256), "it leaves src");
}

class Recorder : public toprope::Observer {
 public:
  Recorder() { toprope::install(this); }
  ~Recorder() override { toprope::uninstall(this); }
  void on_instruction(toprope::Core&, const toprope::Instruction&, std::span<const toprope::Access> accesses,
                      toprope::Site) override {
    bytes.clear();
    for (const toprope::Access& a : accesses)
      for (uint32_t r = 0; r < a.repeats; ++r)
        for (uint32_t b = 0; b < a.blocks; ++b)
          for (uint32_t i = 0; i < a.run; ++i)
            bytes[a.operand].insert(a.slice.at + r * a.repeat_stride +
                                    (a.places ? a.places[b] : b * a.block_stride) + i);
  }
  std::map<std::string, std::set<uint64_t>> bytes;
};

TEST(GatherFootprint, IsWhatTheOffsetsName) {
  Recorder recorder;
  const auto status = run_kernel([] {
    auto s = tensor<half>(1024, std::vector<half>(128));
    auto d = tensor<half>(0, std::vector<half>(128));
    Gather(d, s, tensor<uint32_t>(4096, std::vector<uint32_t>{20, 2, 20}), 4u, 3u);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(recorder.bytes["src"], (std::set<uint64_t>{1030, 1031, 1048, 1049}));
  EXPECT_EQ(recorder.bytes["dst"], (std::set<uint64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(recorder.bytes["srcOffset"].size(), 12u);
  ASSERT_EQ(run_kernel([] {
              std::vector<uint32_t> offsets = {64, 64, 64, 64, 64, 64, 64, 0};
              Gatherb(tensor<uint16_t>(0, std::vector<uint16_t>(128)),
                      tensor<uint16_t>(1024, std::vector<uint16_t>(128)), tensor<uint32_t>(4096, offsets), 1,
                      {1, 8});
            }).report,
            "");
  EXPECT_EQ(recorder.bytes["src"].size(), 64u);
  EXPECT_EQ(*recorder.bytes["src"].begin(), 1024u);
  EXPECT_EQ(*recorder.bytes["src"].rbegin(), 1024u + 95);
}

INSTANTIATE_TEST_SUITE_P(Simd, GatherTest, ::testing::Bool(), target_of);

}  // namespace
