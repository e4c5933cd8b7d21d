// Comparisons against C++ comparisons of the exact values, with the documented exception that NaN always
// gives 0.
#include <cmath>
#include <random>

#include "support/exact.h"
#include "support/kernel.h"
#include "support/recorder.h"

namespace {

using namespace toprope::test;
using AscendC::CMPMODE;
using AscendC::LocalTensor;

constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ, CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

double number(half v) { return static_cast<double>(half_number(v.bits())); }
double number(float v) { return v; }

bool holds(CMPMODE mode, double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return false;
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}

template <class T>
std::vector<T> samples(size_t n, uint32_t seed) {
  const T edge[] = {T(0.0f),       T(-0.0f),         T(1),    T(-1), T(65504), T(-65504), T(HUGE_VALF),
                    T(-HUGE_VALF), T(std::nanf("")), T(6e-8f)};
  std::mt19937 random(seed);
  std::vector<T> v(n);
  for (auto& x : v)
    x = random() % 3 ? edge[random() % 10] : T(static_cast<float>(static_cast<int>(random() % 7)) - 3);
  return v;
}

class CompareTest : public BothTargets {
 protected:
  template <class T>
  void check_count(const std::string& name) {
    constexpr uint32_t full = 256 / sizeof(T);
    const auto a = samples<T>(1024, 1), b = samples<T>(1024, 2);
    for (CMPMODE mode : kModes)
      for (uint32_t count : {0u, full - 1, full, full + 5, 3 * full, 1024u}) {
        std::vector<uint8_t> got[2], want[2];
        for (auto& w : want) w.assign(160, 0xA5);
        for (uint32_t i = 0; i < count / full * full; ++i)
          for (int scalar = 0; scalar < 2; ++scalar) {
            const uint8_t bit = static_cast<uint8_t>(1 << (i % 8));
            const bool on = holds(mode, number(a[i]), scalar ? 1.0 : number(b[i]));
            want[scalar][i / 8] = static_cast<uint8_t>((want[scalar][i / 8] & ~bit) | (on ? bit : 0));
          }
        const auto status = run_kernel([&] {
          auto d = tensor<uint8_t>(0, std::vector<uint8_t>(160, 0xA5)),
               e = tensor<uint8_t>(512, std::vector<uint8_t>(160, 0xA5));
          auto x = tensor<T>(4096, a), y = tensor<T>(16384, b);
          AscendC::Compare(d, x, y, mode, count);
          AscendC::Compares(e, x, T(1), mode, count);
          got[0] = values(d), got[1] = values(e);
        });
        ASSERT_EQ(status.report, "");
        EXPECT_EQ(got[0], want[0]) << name << " " << int(mode) << " " << count;
        EXPECT_EQ(got[1], want[1]) << name << " scalar " << int(mode) << " " << count;
      }
  }
};

TEST_P(CompareTest, WholeRepeatsOfACount) {
  check_count<half>("half");
  check_count<float>("float");
}

TEST_P(CompareTest, CountOfAPartialRepeat) {  // facts/cases A19
  std::vector<int8_t> got[2];
  run_kernel([&] {
    for (int k = 0; k < 2; ++k) {
      auto d = tensor<int8_t>(0, std::vector<int8_t>(32, static_cast<int8_t>(0xA5)));
      AscendC::Compare(d, tensor<half>(512, std::vector<half>(256, half(1))),
                       tensor<half>(1024, std::vector<half>(256, half(2))), CMPMODE::LT, k ? 200 : 100);
      got[k] = values(d);
    }
  });
  EXPECT_EQ(got[0], std::vector<int8_t>(32, static_cast<int8_t>(0xA5)));
  for (int i = 0; i < 32; ++i) EXPECT_EQ(got[1][i], i < 16 ? -1 : static_cast<int8_t>(0xA5)) << i;
}

/// The table of Compare: MIN, MAX, +0, -0, nan, +inf, -inf against each other; facts/cases A21: nan holds in
/// no mode.
TEST_P(CompareTest, BoundaryValues) {
  const char* const table[6][7] = {
      // rows src0, columns src1
      /* LT */ {"0111010", "0000010", "0100010", "0100010", "0000000", "0000000", "1111010"},
      /* GT */ {"0000001", "1011001", "1000001", "1000001", "0000000", "1111001", "0000000"},
      /* EQ */ {"1000000", "0100000", "0011000", "0011000", "0000000", "0000010", "0000001"},
      /* LE */ {"1111010", "0100010", "0111010", "0111010", "0000000", "0000010", "1111011"},
      /* GE */ {"1000001", "1111001", "1011001", "1011001", "0000000", "1111011", "0000001"},
      /* NE */ {"0111011", "1011011", "1100011", "1100011", "0000000", "1111001", "1111010"}};
  const float h[] = {-65504, 65504, 0.0f, -0.0f, std::nanf(""), HUGE_VALF, -HUGE_VALF};
  const float most = std::numeric_limits<float>::max();
  const float f[] = {-most, most, 0.0f, -0.0f, std::nanf(""), HUGE_VALF, -HUGE_VALF};
  for (CMPMODE mode : kModes) {
    std::vector<half> h0(128), h1(128);
    std::vector<float> f0(64), f1(64);
    for (int i = 0; i < 49; ++i)
      h0[i] = half(h[i / 7]), h1[i] = half(h[i % 7]), f0[i] = f[i / 7], f1[i] = f[i % 7];
    std::vector<uint8_t> bits_h, bits_f;
    run_kernel([&] {
      auto d = tensor<uint8_t>(0, std::vector<uint8_t>(32)),
           e = tensor<uint8_t>(64, std::vector<uint8_t>(32));
      AscendC::Compare(d, tensor<half>(256, h0), tensor<half>(512, h1), mode, 128);
      AscendC::Compare(e, tensor<float>(1024, f0), tensor<float>(1536, f1), mode, 64);
      bits_h = values(d), bits_f = values(e);
    });
    for (int i = 0; i < 49; ++i) {
      const int want = table[static_cast<int>(mode)][i / 7][i % 7] - '0';
      EXPECT_EQ(bits_h[i / 8] >> (i % 8) & 1, want) << int(mode) << " half " << i;
      EXPECT_EQ(bits_f[i / 8] >> (i % 8) & 1, want) << int(mode) << " float " << i;
    }
  }
}

TEST_P(CompareTest, DocumentedExample) {  // Compare.md, GT to NE on the first eight elements
  const std::vector<float> a = {2, 3, 5, 7, 11, 13, 17, 19}, b = {2, 4, 6, 8, 10, 12, 14, 16};
  const uint8_t want[] = {14, 240, 1, 15, 241, 254};  // NE: the page prints 126, but writes it 0b11111110
  for (CMPMODE mode : kModes) {
    std::vector<float> x(64), y(64);
    std::copy(a.begin(), a.end(), x.begin());
    std::copy(b.begin(), b.end(), y.begin());
    std::vector<uint8_t> got;
    run_kernel([&] {
      auto d = tensor<uint8_t>(0, std::vector<uint8_t>(32));
      auto p = tensor<float>(256, x), q = tensor<float>(512, y);
      switch (mode) {
        case CMPMODE::LT:
          d = p < q;
          break;
        case CMPMODE::GT:
          d = p > q;
          break;
        case CMPMODE::EQ:
          d = p == q;
          break;
        case CMPMODE::LE:
          d = p <= q;
          break;
        case CMPMODE::GE:
          d = p >= q;
          break;
        default:
          d = p != q;
      }
      got = values(d);
    });
    EXPECT_EQ(got[0], want[static_cast<int>(mode)]) << int(mode);
    const bool zeros = mode == CMPMODE::EQ || mode == CMPMODE::LE || mode == CMPMODE::GE;
    EXPECT_EQ(got[7], zeros ? 255 : 0);
    EXPECT_EQ(got[8], 0);
  }
}

TEST_P(CompareTest, EqualIntegers) {
  std::vector<int32_t> a(64), b(64);
  for (int i = 0; i < 64; ++i) a[i] = i * 16777217, b[i] = i % 3 ? a[i] : a[i] + 1;
  a[0] = INT32_MIN, b[0] = INT32_MAX;
  std::vector<uint8_t> got;
  run_kernel([&] {
    auto d = tensor<uint8_t>(0, std::vector<uint8_t>(32));
    AscendC::Compare(d, tensor<int32_t>(256, a), tensor<int32_t>(512, b), CMPMODE::EQ, 64);
    got = values(d);
  });
  for (int i = 0; i < 64; ++i) EXPECT_EQ(got[i / 8] >> (i % 8) & 1, i % 3 ? 1 : 0) << i;
  auto other = run_kernel([&] {
    AscendC::Compare(tensor<uint8_t>(0, std::vector<uint8_t>(32)), tensor<int32_t>(256, a),
                     tensor<int32_t>(512, b), CMPMODE::LT, 64);
  });
  EXPECT_NE(other.report.find("Compare: int32_t has no comparison LT"), std::string::npos) << other.report;
}

TEST_P(CompareTest, RepeatsAndStrides) {  // masks have no effect, results have no gaps
  std::mt19937 random(4);
  for (int round = 0; round < 40; ++round) {
    const uint8_t repeats = random() % 4, blk0 = random() % 3, blk1 = 1 + random() % 2, rep0 = random() % 10,
                  rep1 = random() % 10;
    const auto a = samples<float>(2048, 7), b = samples<float>(2048, 8);
    const CMPMODE mode = kModes[random() % 6];
    std::vector<uint8_t> want(64, 0x5A), got[2];
    for (uint32_t i = 0; i < repeats * 64u; ++i) {
      auto at = [&](uint32_t blk, uint32_t rep) { return (i / 64 * rep + i % 64 / 8 * blk) * 8 + i % 8; };
      const uint8_t bit = static_cast<uint8_t>(1 << (i % 8));
      want[i / 8] = static_cast<uint8_t>((want[i / 8] & ~bit) |
                                         (holds(mode, a[at(blk0, rep0)], b[at(blk1, rep1)]) ? bit : 0));
    }
    const auto status = run_kernel([&] {
      auto d = tensor<uint8_t>(0, std::vector<uint8_t>(64, 0x5A)),
           e = tensor<uint8_t>(64, std::vector<uint8_t>(64, 0x5A));
      auto x = tensor<float>(4096, a), y = tensor<float>(16384, b);
      const uint64_t mask[2] = {5, 0};
      AscendC::Compare(d, x, y, mode, mask, repeats, {1, blk0, blk1, 8, rep0, rep1});
      AscendC::Compare(e, x, y, mode, uint64_t{3}, repeats, {1, blk0, blk1, 8, rep0, rep1});
      got[0] = values(d), got[1] = values(e);
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(got[0], want);
    ASSERT_EQ(got[1], want);
  }
}

TEST_P(CompareTest,
       IntoTheRegister) {  // masked bits keep their value; the rest of GetCmpMask's room is untouched
  std::vector<uint8_t> got[2];
  const auto a = samples<half>(128, 11), b = samples<half>(128, 12);
  uint64_t mask[2] = {0x00ff0f0f33335555, 0x8000000000000001};
  const auto status = run_kernel([&] {
    auto d = tensor<uint8_t>(0, std::vector<uint8_t>(128, 0x77));
    auto x = tensor<half>(512, a), y = tensor<half>(1024, b);
    AscendC::SetCmpMask(tensor<uint8_t>(2048, std::vector<uint8_t>(16, 0xC3)));
    AscendC::Compare(x, y, CMPMODE::GE, mask, AscendC::BinaryRepeatParams{});
    AscendC::GetCmpMask(d);
    got[0] = values(d);
    AscendC::Compare(x, y, CMPMODE::LT, uint64_t{128}, AscendC::BinaryRepeatParams{});
    AscendC::GetCmpMask(d);
    got[1] = values(d);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 128; ++i) {
    const bool taking = mask[i / 64] >> (i % 64) & 1, old = 0xC3 >> (i % 8) & 1;
    EXPECT_EQ(got[0][i / 8] >> (i % 8) & 1, taking ? holds(CMPMODE::GE, number(a[i]), number(b[i])) : old)
        << i;
    EXPECT_EQ(got[1][i / 8] >> (i % 8) & 1, holds(CMPMODE::LT, number(a[i]), number(b[i]))) << i;
  }
  for (int i = 16; i < 128; ++i) EXPECT_EQ(got[0][i], 0x77);
}

TEST_P(CompareTest, RefusesShortOperands) {
  auto bits = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(512));
    AscendC::Compare(tensor<uint8_t>(4096, std::vector<uint8_t>(32)), t, t, CMPMODE::LT, 512);
  });
  EXPECT_NE(bits.report.find("Compare: dst ends 32 bytes past its tensor"), std::string::npos) << bits.report;
  auto room = run_kernel([] { AscendC::GetCmpMask(tensor<uint8_t>(0, std::vector<uint8_t>(8))); });
  EXPECT_NE(room.report.find("GetCmpMask: dst starts at byte 0 of UB and has 8 bytes"), std::string::npos)
      << room.report;
  auto source = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(64));
    AscendC::Compares(tensor<uint8_t>(4096, std::vector<uint8_t>(64)), t, 1.0f, CMPMODE::LT, 128);
  });
  EXPECT_NE(source.report.find("Compares: src0 ends 256 bytes past its tensor"), std::string::npos)
      << source.report;
}

TEST_P(CompareTest, SaysWhatItTouches) {
  Recorder recorder;
  run_kernel([&] {
    auto t = tensor<half>(4096, std::vector<half>(512));
    AscendC::Compare(tensor<uint8_t>(64, std::vector<uint8_t>(64)), t, t, CMPMODE::LT, 300);
  });
  EXPECT_EQ(bytes_of(recorder.operands["dst"]).size(), 32u);  // 256 of the 300 elements
  EXPECT_EQ(*bytes_of(recorder.operands["dst"]).begin(), 64u);
  EXPECT_EQ(bytes_of(recorder.operands["src1"]).size(), 512u);
}

INSTANTIATE_TEST_SUITE_P(Simd, CompareTest, ::testing::Bool(), target_of);

}  // namespace
