// Two-source vector instructions against plain arithmetic: for half, double arithmetic rounded once is exact for + - *,
// and for / too (a quotient of halves is never close enough to a tie for double rounding to matter).
#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;

template <class T>
T from_double(double v) {
  if constexpr (std::is_same_v<T, half>) return half::from_bits(toprope::half_from_float(static_cast<float>(v)));
  else return static_cast<T>(v);
}

/// Ordinary values with every special one among them.
template <class T>
std::vector<T> samples(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> v(n);
  if constexpr (std::is_integral_v<T>) {
    for (auto& x : v) x = static_cast<T>(random());
    const T edge[] = {0, 1, static_cast<T>(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    for (size_t i = 0; i < n && i < 25; ++i) v[i] = edge[seed % 2 ? i % 5 : i / 5];
  } else {
    const double tiny = std::is_same_v<T, half> ? 0x1p-24 : 0x1p-149, least = std::is_same_v<T, half> ? 0x1p-14 : 0x1p-126;
    const double most = std::is_same_v<T, half> ? 65504 : std::numeric_limits<float>::max();
    const double edge[] = {0.0, -0.0, 1, -1, tiny, -tiny, least, most, -most, HUGE_VAL, -HUGE_VAL, std::nan("")};
    std::uniform_real_distribution<double> uniform(-1000, 1000);
    for (auto& x : v) x = from_double<T>(uniform(random));
    for (size_t i = 0; i < n && i < 144; ++i) v[i] = from_double<T>(edge[seed % 2 ? i % 12 : i / 12]);
  }
  return v;
}

double max_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) && std::signbit(b) ? -0.0 : 0.0;
  return a > b ? a : b;
}

double min_of(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == 0 && b == 0) return std::signbit(a) || std::signbit(b) ? -0.0 : 0.0;
  return a < b ? a : b;
}

struct Row {
  const char* name;
  void (*half_)(const LocalTensor<half>&, const LocalTensor<half>&, const LocalTensor<half>&, const int32_t&);
  void (*float_)(const LocalTensor<float>&, const LocalTensor<float>&, const LocalTensor<float>&, const int32_t&);
  void (*int16_)(const LocalTensor<int16_t>&, const LocalTensor<int16_t>&, const LocalTensor<int16_t>&, const int32_t&);
  void (*int32_)(const LocalTensor<int32_t>&, const LocalTensor<int32_t>&, const LocalTensor<int32_t>&, const int32_t&);
  double (*real)(double, double);
  int64_t (*whole)(int64_t, int64_t);
};

const Row rows[] = {
    {"Add", AscendC::Add<half>, AscendC::Add<float>, AscendC::Add<int16_t>, AscendC::Add<int32_t>,
     [](double a, double b) { return a + b; }, [](int64_t a, int64_t b) { return a + b; }},
    {"Sub", AscendC::Sub<half>, AscendC::Sub<float>, AscendC::Sub<int16_t>, AscendC::Sub<int32_t>,
     [](double a, double b) { return a - b; }, [](int64_t a, int64_t b) { return a - b; }},
    {"Mul", AscendC::Mul<half>, AscendC::Mul<float>, AscendC::Mul<int16_t>, AscendC::Mul<int32_t>,
     [](double a, double b) { return a * b; }, [](int64_t a, int64_t b) { return a * b; }},
    {"Div", AscendC::Div<half>, AscendC::Div<float>, nullptr, nullptr, [](double a, double b) { return a / b; }, nullptr},
    {"Max", AscendC::Max<half>, AscendC::Max<float>, AscendC::Max<int16_t>, AscendC::Max<int32_t>, max_of,
     [](int64_t a, int64_t b) { return a > b ? a : b; }},
    {"Min", AscendC::Min<half>, AscendC::Min<float>, AscendC::Min<int16_t>, AscendC::Min<int32_t>, min_of,
     [](int64_t a, int64_t b) { return a < b ? a : b; }},
    {"And", nullptr, nullptr, AscendC::And<int16_t>, nullptr, nullptr, [](int64_t a, int64_t b) { return a & b; }},
    {"Or", nullptr, nullptr, AscendC::Or<int16_t>, nullptr, nullptr, [](int64_t a, int64_t b) { return a | b; }},
};

class BinaryTest : public BothTargets {
 protected:
  template <class T, class Call, class Want>
  void check(const std::string& name, Call call, Want want) {
    for (int32_t count : {0, 1, 7, 16, 31, 64, 129, 1000, 2048}) {
      const auto a = samples<T>(2048, 1), b = samples<T>(2048, 2);
      const auto before = samples<T>(2048, 3);
      std::vector<T> got, expected = before;
      for (int32_t i = 0; i < count; ++i) expected[i] = want(a[i], b[i]);
      const auto status = run_kernel([&] {
        auto d = tensor<T>(0, before);
        call(d, tensor<T>(16384, a), tensor<T>(32768, b), count);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, expected, name + " count " + std::to_string(count));
    }
  }
};

TEST_P(BinaryTest, EveryInstructionEveryType) {
  for (const Row& r : rows) {
    if (r.half_)
      check<half>(std::string(r.name) + " half", r.half_,
                  [&](half a, half b) { return from_double<half>(r.real(float(a), float(b))); });
    if (r.float_)
      check<float>(std::string(r.name) + " float", r.float_,
                   [&](float a, float b) { return static_cast<float>(r.real(a, b)); });
    if (r.int16_)
      check<int16_t>(std::string(r.name) + " int16_t", r.int16_,
                     [&](int16_t a, int16_t b) { return static_cast<int16_t>(r.whole(a, b)); });
    if (r.int32_)
      check<int32_t>(std::string(r.name) + " int32_t", r.int32_,
                     [&](int32_t a, int32_t b) { return static_cast<int32_t>(r.whole(a, b)); });
  }
}

TEST_P(BinaryTest, IntegersWrap) {  // facts: 32767 + 32767 = -2
  std::vector<int16_t> got;
  run_kernel([&] {
    auto d = tensor<int16_t>(0, std::vector<int16_t>(16));
    AscendC::Add(d, tensor<int16_t>(64, std::vector<int16_t>(16, 32767)), tensor<int16_t>(128, std::vector<int16_t>(16, 32767)), 16);
    got = values(d);
  });
  EXPECT_EQ(got[0], -2);
  EXPECT_EQ(got[15], -2);
}

TEST_P(BinaryTest, WholeTensorOperators) {
  std::vector<float> got;
  run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(64));
    auto a = tensor<float>(256, std::vector<float>(64, 6)), b = tensor<float>(512, std::vector<float>(64, 3));
    d = a / b;
    got = values(d);
  });
  EXPECT_EQ(got, std::vector<float>(64, 2));
}

/// The strided and masked forms, against one element at a time in the order of the documentation.
TEST_P(BinaryTest, MaskRepeatStride) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const uint8_t repeats = random() % 6;
    const bool bits = random() % 2;
    const uint64_t mask[2] = {random() * 0x100000001ull * (random() % 3 + 1), random() * 0x9e3779b97f4a7c15ull};
    const uint64_t lanes = random() % 140;
    const AscendC::BinaryRepeatParams p(1 + random() % 2, random() % 3, random() % 3, random() % 17, random() % 12, random() % 12);
    // A stride that makes repeats overlap in dst is sequential on the device; keep the rest of the rules simple here.
    const auto a = samples<half>(8192, 1), b = samples<half>(8192, 2), before = samples<half>(8192, 3);
    std::vector<half> got, want = before;
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t i = 0; i < 128; ++i) {
        const bool on = bits ? (mask[i / 64] >> (i % 64) & 1) : i < lanes;
        if (!on) continue;
        auto at = [&](uint32_t blk, uint32_t rep) { return (r * rep + i / 16 * blk) * 16 + i % 16; };
        want[at(p.dstBlkStride, p.dstRepStride)] = from_double<half>(
            float(a[at(p.src0BlkStride, p.src0RepStride)]) + float(b[at(p.src1BlkStride, p.src1RepStride)]));
      }
    const auto status = run_kernel([&] {
      auto d = tensor<half>(0, before);
      auto x = tensor<half>(16384, a), y = tensor<half>(32768, b);
      uint64_t m[2] = {mask[0], mask[1]};
      if (bits) AscendC::Add(d, x, y, m, repeats, p);
      else AscendC::Add(d, x, y, lanes, repeats, p);
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, "round " + std::to_string(round));
    if (HasFailure()) return;
  }
}

TEST_P(BinaryTest, AccumulatesWithZeroRepeatStride) {  // facts/cases A23: dst == src1, dstRepStride 0
  std::vector<float> got;
  run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(64, 1));
    auto a = tensor<float>(1024, std::vector<float>(256, 2));
    AscendC::Add(d, a, d, uint64_t{64}, 4, {1, 1, 1, 0, 8, 0});
    got = values(d);
  });
  EXPECT_EQ(got, std::vector<float>(64, 9));
}

TEST_P(BinaryTest, RefusesWhatTheDeviceWouldPunish) {
  auto over = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(64));
    AscendC::Add(t, t, t, 65);
  });
  EXPECT_EQ(over.fault, toprope::Fault::Exception);
  EXPECT_NE(over.report.find("Add: dst ends 4 bytes past its tensor"), std::string::npos) << over.report;
  EXPECT_NE(over.report.find("binary_test.cpp"), std::string::npos) << over.report;
  auto misaligned = run_kernel([] {  // facts/cases A06
    auto t = tensor<float>(0, std::vector<float>(128)), d = tensor<float>(1024, std::vector<float>(64));
    AscendC::Add(d, t[1], t[8], 64);
  });
  EXPECT_NE(misaligned.report.find("src0 starts at byte 4 of UB, which is not 32-byte aligned"), std::string::npos)
      << misaligned.report;
  auto fine = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(128)), d = tensor<float>(1024, std::vector<float>(64));
    AscendC::Add(d, t[8], t[8], 64);
  });
  EXPECT_EQ(fine.report, "");
}

INSTANTIATE_TEST_SUITE_P(Simd, BinaryTest, ::testing::Bool(), target_of);

}  // namespace
