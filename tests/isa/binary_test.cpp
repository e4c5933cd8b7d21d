// Two-source vector instructions against plain arithmetic: for half, double arithmetic rounded once is exact
// for + - *, and for / too (a quotient of halves is never close enough to a tie for double rounding to
// matter).
#include <cmath>
#include <limits>
#include <random>

#include "support/kernel.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;

struct Row {
  const char* name;
  void (*half_)(const LocalTensor<half>&, const LocalTensor<half>&, const LocalTensor<half>&, const int32_t&);
  void (*float_)(const LocalTensor<float>&, const LocalTensor<float>&, const LocalTensor<float>&,
                 const int32_t&);
  void (*int16_)(const LocalTensor<int16_t>&, const LocalTensor<int16_t>&, const LocalTensor<int16_t>&,
                 const int32_t&);
  void (*int32_)(const LocalTensor<int32_t>&, const LocalTensor<int32_t>&, const LocalTensor<int32_t>&,
                 const int32_t&);
  double (*real)(double, double);
  int64_t (*whole)(int64_t, int64_t);
  bool relu = false;  // of the result
};

template <class T>
T want_of(const Row& r, T a, T b, bool saturate) {
  if constexpr (std::is_integral_v<T>) {
    const T v = whole<T>(r.whole(a, b), saturate);
    return r.relu && v < 0 ? T{0} : v;
  } else {
    const T v = from_double<T>(r.real(static_cast<double>(a), static_cast<double>(b)));
    const T kept = saturate ? saturated(v) : v;
    return r.relu ? from_double<T>(relu_of(static_cast<double>(kept))) : kept;
  }
}

const Row rows[] = {
    {"Add", AscendC::Add<half>, AscendC::Add<float>, AscendC::Add<int16_t>, AscendC::Add<int32_t>,
     [](double a, double b) { return a + b; }, [](int64_t a, int64_t b) { return a + b; }},
    {"Sub", AscendC::Sub<half>, AscendC::Sub<float>, AscendC::Sub<int16_t>, AscendC::Sub<int32_t>,
     [](double a, double b) { return a - b; }, [](int64_t a, int64_t b) { return a - b; }},
    {"Mul", AscendC::Mul<half>, AscendC::Mul<float>, AscendC::Mul<int16_t>, AscendC::Mul<int32_t>,
     [](double a, double b) { return a * b; }, [](int64_t a, int64_t b) { return a * b; }},
    {"Div", AscendC::Div<half>, AscendC::Div<float>, nullptr, nullptr,
     [](double a, double b) { return a / b; }, nullptr},
    {"Max", AscendC::Max<half>, AscendC::Max<float>, AscendC::Max<int16_t>, AscendC::Max<int32_t>, max_of,
     [](int64_t a, int64_t b) { return a > b ? a : b; }},
    {"Min", AscendC::Min<half>, AscendC::Min<float>, AscendC::Min<int16_t>, AscendC::Min<int32_t>, min_of,
     [](int64_t a, int64_t b) { return a < b ? a : b; }},
    {"AddRelu", AscendC::AddRelu<half>, AscendC::AddRelu<float>, AscendC::AddRelu<int16_t>, nullptr,
     [](double a, double b) { return a + b; }, [](int64_t a, int64_t b) { return a + b; }, true},
    {"SubRelu", AscendC::SubRelu<half>, AscendC::SubRelu<float>, AscendC::SubRelu<int16_t>, nullptr,
     [](double a, double b) { return a - b; }, [](int64_t a, int64_t b) { return a - b; }, true},
    {"And", nullptr, nullptr, AscendC::And<int16_t>, nullptr, nullptr,
     [](int64_t a, int64_t b) { return a & b; }},
    {"Or", nullptr, nullptr, AscendC::Or<int16_t>, nullptr, nullptr,
     [](int64_t a, int64_t b) { return a | b; }},
};

class BinaryTest : public BothTargets {
 protected:
  template <class T, class Call>
  void check(const Row& r, Call call) {
    if (!call) return;
    for (const bool saturate : {false, true})
      for (int32_t count : {0, 1, 7, 16, 31, 64, 129, 1000, 2048}) {
        const auto a = samples<T>(2048, 1), b = samples<T>(2048, 2);
        const auto before = samples<T>(2048, 3);
        std::vector<T> got, expected = before;
        for (int32_t i = 0; i < count; ++i) expected[i] = want_of(r, a[i], b[i], saturate);
        const auto status = run_kernel([&] {
          toprope::core().saturate = saturate;
          auto d = tensor<T>(0, before);
          call(d, tensor<T>(16384, a), tensor<T>(32768, b), count);
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(
            got, expected,
            std::string(r.name) + " count " + std::to_string(count) + (saturate ? " saturating" : ""));
      }
  }
};

TEST_P(BinaryTest, EveryInstructionEveryType) {
  for (const Row& r : rows) {
    check<half>(r, r.half_);
    check<float>(r, r.float_);
    check<int16_t>(r, r.int16_);
    check<int32_t>(r, r.int32_);
  }
}

TEST_P(BinaryTest, BitsOfOtherTypes) {
  const auto a = samples<uint16_t>(200, 1), b = samples<uint16_t>(200, 2);
  const auto x = samples<int32_t>(96, 1), y = samples<int32_t>(96, 2);
  std::vector<uint16_t> conjunction, disjunction;
  std::vector<int32_t> whole_tensor, half_of_it;
  run_kernel([&] {
    auto d = tensor<uint16_t>(0, std::vector<uint16_t>(200));
    auto s = tensor<uint16_t>(1024, a), t = tensor<uint16_t>(2048, b);
    AscendC::And(d, s, t, 200), conjunction = values(d);
    AscendC::Or(d, s, t, 200), disjunction = values(d);
    // 32-bit tensors count 16-bit elements in the consecutive form; the operator takes all of dst.
    auto w = tensor<int32_t>(4096, std::vector<int32_t>(96));
    auto u = tensor<int32_t>(8192, x), v = tensor<int32_t>(12288, y);
    AscendC::And(w, u, v, 96), half_of_it = values(w);
    w = u | v;
    whole_tensor = values(w);
  });
  for (size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(conjunction[i], a[i] & b[i]);
    EXPECT_EQ(disjunction[i], a[i] | b[i]);
  }
  for (size_t i = 0; i < 96; ++i) {
    EXPECT_EQ(half_of_it[i], i < 48 ? x[i] & y[i] : 0);
    EXPECT_EQ(whole_tensor[i], x[i] | y[i]);
  }
}

TEST_P(BinaryTest, IntegersWrap) {  // facts: 32767 + 32767 = -2
  std::vector<int16_t> got;
  run_kernel([&] {
    auto d = tensor<int16_t>(0, std::vector<int16_t>(16));
    AscendC::Add(d, tensor<int16_t>(64, std::vector<int16_t>(16, 32767)),
                 tensor<int16_t>(128, std::vector<int16_t>(16, 32767)), 16);
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
    const uint64_t mask[2] = {random() * 0x100000001ull * (random() % 3 + 1),
                              random() * 0x9e3779b97f4a7c15ull};
    const uint64_t lanes = random() % 140;
    const AscendC::BinaryRepeatParams p(1 + random() % 2, random() % 3, random() % 3, random() % 17,
                                        random() % 12, random() % 12);
    // A stride that makes repeats overlap in dst is sequential on the device; keep the rest of the rules
    // simple here.
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
      if (bits)
        AscendC::Add(d, x, y, m, repeats, p);
      else
        AscendC::Add(d, x, y, lanes, repeats, p);
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
  EXPECT_NE(misaligned.report.find("src0 starts at byte 4 of UB, which is not 32-byte aligned"),
            std::string::npos)
      << misaligned.report;
  auto fine = run_kernel([] {
    auto t = tensor<float>(0, std::vector<float>(128)), d = tensor<float>(1024, std::vector<float>(64));
    AscendC::Add(d, t[8], t[8], 64);
  });
  EXPECT_EQ(fine.report, "");
}

INSTANTIATE_TEST_SUITE_P(Simd, BinaryTest, ::testing::Bool(), target_of);

}  // namespace
