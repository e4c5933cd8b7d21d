// Selection by bits, one element at a time by definition.
#include <random>

#include "support/kernel.h"
#include "support/recorder.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::SELMODE;

class SelectTest : public BothTargets {
 protected:
  template <class T>
  void check_count() {
    constexpr uint32_t full = 256 / sizeof(T);
    std::mt19937 random(2);
    std::vector<uint8_t> bits(256);
    for (auto& b : bits) b = static_cast<uint8_t>(random());
    std::vector<T> a(1100), b(1100);
    for (int i = 0; i < 1100; ++i) a[i] = T(i), b[i] = T(-i - 1);
    for (uint32_t count : {0u, 1u, 7u, 8u, 9u, 63u, full, full + 1, 511u, 1000u})
      for (SELMODE mode :
           {SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_SCALAR_MODE, SELMODE::VSEL_TENSOR_TENSOR_MODE}) {
        std::vector<T> want(1100, T(5000)), got;
        for (uint32_t i = 0; i < count; ++i) {
          const uint32_t bit = mode == SELMODE::VSEL_CMPMASK_SPR ? i % full : i;
          const T other = mode == SELMODE::VSEL_TENSOR_SCALAR_MODE ? T(0.5f) : b[i];
          want[i] = bits[bit / 8] >> (bit % 8) & 1 ? a[i] : other;
        }
        const auto status = run_kernel([&] {
          auto d = tensor<T>(0, std::vector<T>(1100, T(5000)));
          auto m = tensor<uint8_t>(8192, bits);
          auto x = tensor<T>(16384, a), y = tensor<T>(32768, b);
          if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE)
            AscendC::Select(d, m, x, T(0.5f), mode, count);
          else
            AscendC::Select(d, m, x, y, mode, count);
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(got, want, "mode " + std::to_string(int(mode)) + " count " + std::to_string(count));
      }
  }
};

TEST_P(SelectTest, FirstElements) {
  check_count<half>();
  check_count<float>();
}

TEST_P(SelectTest, ModeZeroRepeatsItsBits) {  // facts/cases A20
  std::vector<uint16_t> bits(32);
  for (int i = 0; i < 32; ++i) bits[i] = i < 8 ? 0xF00F : i < 16 ? 0x0FF0 : 0;
  std::vector<half> got[2];
  run_kernel([&] {
    auto m = tensor<uint16_t>(4096, bits);
    auto a = tensor<half>(8192, std::vector<half>(512, half(1))),
         b = tensor<half>(16384, std::vector<half>(512, half(0)));
    for (int k = 0; k < 2; ++k) {
      auto d = tensor<half>(0, std::vector<half>(512));
      AscendC::Select(d, m, a, b, k ? SELMODE::VSEL_TENSOR_TENSOR_MODE : SELMODE::VSEL_CMPMASK_SPR, 512);
      got[k] = values(d);
    }
  });
  for (int i = 0; i < 512; ++i) {
    const bool first = 0xF00F >> (i % 16) & 1, second = 0x0FF0 >> (i % 16) & 1;
    EXPECT_EQ(float(got[0][i]), first) << i;
    EXPECT_EQ(float(got[1][i]), i < 128 ? first : i < 256 ? second : 0) << i;
  }
}

TEST_P(SelectTest, MaskRepeatStride) {
  std::mt19937 random(6);
  for (int round = 0; round < 120; ++round) {
    const uint8_t repeats = random() % 5;
    const bool by_bits = random() % 2;
    const uint64_t mask[2] = {random() * 0x100000001ull * (random() % 3 + 1),
                              random() * 0x9e3779b97f4a7c15ull};
    const uint64_t lanes = random() % 129;
    const int mode = random() % 3;
    const AscendC::BinaryRepeatParams p(1 + random() % 2, random() % 3, random() % 3, 16 + random() % 3,
                                        random() % 12, random() % 12);
    std::vector<uint8_t> bits(128);
    for (auto& b : bits) b = static_cast<uint8_t>(random());
    std::vector<half> a(4096), b(4096), want(8192, half(-1)), got;
    for (int i = 0; i < 4096; ++i) a[i] = half(i % 2048), b[i] = half(-(i % 2048) - 2);
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t i = 0; i < 128; ++i) {
        if (!(by_bits ? mask[i / 64] >> (i % 64) & 1 : i < lanes)) continue;
        auto at = [&](uint32_t blk, uint32_t rep) { return (r * rep + i / 16 * blk) * 16 + i % 16; };
        const uint32_t bit = mode == 0 ? i : r * 128 + i;
        want[at(p.dstBlkStride, p.dstRepStride)] = bits[bit / 8] >> (bit % 8) & 1
                                                       ? a[at(p.src0BlkStride, p.src0RepStride)]
                                                   : mode == 1 ? half(0.5)
                                                               : b[at(p.src1BlkStride, p.src1RepStride)];
      }
    const auto status = run_kernel([&] {
      auto d = tensor<half>(0, std::vector<half>(8192, half(-1)));
      auto m = tensor<uint8_t>(65536, bits);
      auto x = tensor<half>(16384, a), y = tensor<half>(32768, b);
      uint64_t ms[2] = {mask[0], mask[1]};
      const auto selmode = static_cast<SELMODE>(mode);
      if (mode == 1 && by_bits)
        AscendC::Select(d, m, x, half(0.5), selmode, ms, repeats, p);
      else if (mode == 1)
        AscendC::Select(d, m, x, half(0.5), selmode, lanes, repeats, p);
      else if (by_bits)
        AscendC::Select(d, m, x, y, selmode, ms, repeats, p);
      else
        AscendC::Select(d, m, x, y, selmode, lanes, repeats, p);
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, "round " + std::to_string(round));
    if (HasFailure()) return;
  }
}

TEST_P(SelectTest,
       TakesRegisters) {  // SetCmpMask.md: bits, a scalar, or the address of bits, whole or its low half
  std::vector<float> got[4];
  std::vector<uint8_t> bits(32);
  for (int i = 0; i < 32; ++i) bits[i] = static_cast<uint8_t>(37 * i + 11);
  const auto status = run_kernel([&] {
    auto a = tensor<float>(4096, std::vector<float>(256, 1)),
         b = tensor<float>(8192, std::vector<float>(256, 2));
    auto m = tensor<uint8_t>(1024, bits);
    toprope::core().mask = {};
    auto fresh = [] { return tensor<float>(0, std::vector<float>(256, -1)); };
    auto d = fresh();
    AscendC::SetCmpMask(m);
    AscendC::Select<float, SELMODE::VSEL_CMPMASK_SPR>(d, a, b, 4, {1, 1, 1, 8, 8, 8});
    got[0] = values(d);
    d = fresh();
    AscendC::SetCmpMask(tensor<float>(2048, std::vector<float>(8, 7.5f)));
    AscendC::Select(d, m, a, 4, AscendC::BinaryRepeatParams{1, 1, 1, 8, 8, 8});
    got[1] = values(d);
    const auto address = reinterpret_cast<uint64_t>(m.GetPhyAddr());
    for (int k = 0; k < 2; ++k) {
      d = fresh();
      AscendC::SetCmpMask(tensor<uint64_t>(2048, {k ? address : address & 0xffffffffu, 0}));
      AscendC::Select<float, SELMODE::VSEL_TENSOR_TENSOR_MODE>(d, a, b, 4, {1, 1, 1, 8, 8, 8});
      got[2 + k] = values(d);
    }
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 256; ++i) {
    const bool same = bits[i % 64 / 8] >> (i % 8) & 1, own = bits[i / 8] >> (i % 8) & 1;
    EXPECT_EQ(got[0][i], same ? 1 : 2) << i;
    EXPECT_EQ(got[1][i], own ? 1 : 7.5f) << i;
    EXPECT_EQ(got[2][i], own ? 1 : 2) << i;
    EXPECT_EQ(got[3][i], own ? 1 : 2) << i;
  }
}

TEST_P(SelectTest, KeepsEveryBitOfNaNs) {
  std::vector<half> a(16, half::from_bits(0x7d01)), b(16, half::from_bits(0xfe03)), got;
  run_kernel([&] {
    auto d = tensor<half>(0, std::vector<half>(16));
    AscendC::Select(d, tensor<uint8_t>(64, {0xF0, 0x0F}), tensor<half>(128, a), tensor<half>(192, b),
                    SELMODE::VSEL_TENSOR_TENSOR_MODE, 16);
    got = values(d);
  });
  for (int i = 0; i < 16; ++i) EXPECT_EQ(got[i].bits(), i >= 4 && i < 12 ? 0x7d01 : 0xfe03) << i;
}

TEST_P(SelectTest, RefusesMissingBits) {
  auto few = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(512));
    AscendC::Select(t, tensor<uint8_t>(4096, std::vector<uint8_t>(32)), t, t,
                    SELMODE::VSEL_TENSOR_TENSOR_MODE, 512);
  });
  EXPECT_NE(few.report.find("Select: selMask ends 32 bytes past its tensor"), std::string::npos)
      << few.report;
  auto enough = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(512));
    AscendC::Select(t, tensor<uint8_t>(4096, std::vector<uint8_t>(32)), t, t, SELMODE::VSEL_CMPMASK_SPR, 512);
  });
  EXPECT_EQ(enough.report, "");
}

TEST_P(SelectTest, SaysWhatItTouches) {
  Recorder recorder;
  run_kernel([&] {
    auto t = tensor<float>(4096, std::vector<float>(512));
    AscendC::Select(t, tensor<uint8_t>(64, std::vector<uint8_t>(64)), t, 1.0f,
                    SELMODE::VSEL_TENSOR_SCALAR_MODE, 100);
  });
  EXPECT_EQ(bytes_of(recorder.operands["dst"]).size(), 400u);
  EXPECT_EQ(bytes_of(recorder.operands["selMask"]).size(), 13u);
}

INSTANTIATE_TEST_SUITE_P(Simd, SelectTest, ::testing::Bool(), target_of);

}  // namespace
