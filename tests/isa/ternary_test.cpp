// Instructions that read their destination: each product and each sum rounded to the destination's type, as
// the boundary tables show it (the product of the largest values is infinite before the sum).
#include <cmath>
#include <random>

#include "support/kernel.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;

template <class T>
T step(double v, bool saturate) {
  return saturate ? saturated(from_double<T>(v)) : from_double<T>(v);
}

/// a · b + c in T.
template <class T>
T mul_add(double a, double b, double c, bool saturate) {
  // The product of two floats is exact in double; the sum of a rounded product and a float rounds once: 53 ≥
  // 2·24 + 2.
  return step<T>(static_cast<double>(step<T>(a * b, saturate)) + c, saturate);
}

template <class T, class U>
struct Op {
  const char* name;
  void (*call)(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&, const int32_t&);
  void (*bits)(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&, const uint64_t[], uint8_t,
               const AscendC::BinaryRepeatParams&);
  void (*lanes)(const LocalTensor<T>&, const LocalTensor<U>&, const LocalTensor<U>&, uint64_t, uint8_t,
                const AscendC::BinaryRepeatParams&);
  T (*want)(double dst, double a, double b, bool saturate);
};

template <class T>
T mul_add_dst(double d, double a, double b, bool saturate) {
  return mul_add<T>(a, b, d, saturate);
}
template <class T>
T fused_mul_add(double d, double a, double b, bool saturate) {
  return mul_add<T>(a, d, b, saturate);
}
template <class T>
T mul_add_relu(double d, double a, double b, bool saturate) {
  return from_double<T>(relu_of(static_cast<double>(mul_add<T>(a, d, b, saturate))));
}

class TernaryTest : public BothTargets {
 protected:
  template <class T, class U>
  void check(const Op<T, U>& op) {
    const auto a = samples<U>(2048, 1), b = samples<U>(2048, 2);
    auto before = samples<T>(2048, 4);
    for (size_t i = 0; i < 144; ++i)
      before[i] = from_double<T>(static_cast<double>(samples<U>(144, 1)[i / 7]));
    for (const bool saturate : {false, true})
      for (const int32_t count : {0, 1, 7, 31, 129, 2048}) {
        std::vector<T> got, want = before;
        for (int32_t i = 0; i < count; ++i)
          want[i] = op.want(static_cast<double>(before[i]), static_cast<double>(a[i]),
                            static_cast<double>(b[i]), saturate);
        const auto status = run_kernel([&] {
          toprope::core().saturate = saturate;
          auto d = tensor<T>(0, before);
          op.call(d, tensor<U>(16384, a), tensor<U>(32768, b), count);
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        expect_same(
            got, want,
            std::string(op.name) + " count " + std::to_string(count) + (saturate ? " saturating" : ""));
      }
    repeats(op, a, b, before);
  }

  /// Two repeats with gaps; a repeat holds as many elements as of the wider type fit into 256 bytes.
  template <class T, class U>
  void repeats(const Op<T, U>& op, const std::vector<U>& a, const std::vector<U>& b,
               const std::vector<T>& before) {
    constexpr uint32_t full = 256 / sizeof(T), dst_block = 32 / sizeof(T), src_block = 32 / sizeof(U);
    const AscendC::BinaryRepeatParams p(2, 1, 2, 17, 8, 16);
    const uint64_t mask[2] = {0x9e3779b97f4a7c15ull, 0xf0f0f0f0f0f0f0f0ull};
    for (const bool by_bits : {true, false}) {
      std::vector<T> got, want = before;
      for (uint32_t r = 0; r < 2; ++r)
        for (uint32_t i = 0; i < full; ++i) {
          if (by_bits ? !(mask[i / 64] >> (i % 64) & 1) : i >= 37) continue;
          const uint32_t at =
              (r * p.dstRepStride + i / dst_block * p.dstBlkStride) * dst_block + i % dst_block;
          auto from = [&](uint32_t blk, uint32_t rep) {
            return (r * rep + i / src_block * blk) * src_block + i % src_block;
          };
          want[at] = op.want(static_cast<double>(before[at]),
                             static_cast<double>(a[from(p.src0BlkStride, p.src0RepStride)]),
                             static_cast<double>(b[from(p.src1BlkStride, p.src1RepStride)]), false);
        }
      const auto status = run_kernel([&] {
        auto d = tensor<T>(0, before);
        if (by_bits)
          op.bits(d, tensor<U>(16384, a), tensor<U>(32768, b), mask, 2, p);
        else
          op.lanes(d, tensor<U>(16384, a), tensor<U>(32768, b), 37, 2, p);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, want, std::string(op.name) + (by_bits ? " bits" : " lanes"));
    }
  }
};

#define PLAIN(Name, T, want) \
  Op<T, T> { #Name, AscendC::Name<T>, AscendC::Name<T>, AscendC::Name<T>, want<T> }

TEST_P(TernaryTest, EveryInstructionEveryType) {
  check(PLAIN(FusedMulAdd, half, fused_mul_add));
  check(PLAIN(FusedMulAdd, float, fused_mul_add));
  check(PLAIN(MulAddRelu, half, mul_add_relu));
  check(PLAIN(MulAddRelu, float, mul_add_relu));
  check(Op<half, half>{"MulAddDst", AscendC::MulAddDst, AscendC::MulAddDst, AscendC::MulAddDst,
                       mul_add_dst<half>});
  check(Op<float, float>{"MulAddDst", AscendC::MulAddDst, AscendC::MulAddDst, AscendC::MulAddDst,
                         mul_add_dst<float>});
  check(Op<float, half>{"MulAddDst half to float", AscendC::MulAddDst, AscendC::MulAddDst, AscendC::MulAddDst,
                        mul_add_dst<float>});
}

TEST_P(TernaryTest, BoundaryValues) {
  // src0, dst, src1 and FusedMulAdd's result for half in inf/nan and in saturation mode.
  const float inf = HUGE_VALF, nan = std::nanf(""), most = 65504;
  const float table[][5] = {
      {inf, inf, -inf, nan, -most},  {most, most, -inf, nan, -most},
      {most, most, -most, inf, 0},   {most, most, 0, inf, most},
      {most, -most, inf, nan, most}, {most, -most, most, -inf, 0},
      {most, -most, nan, nan, 0},    {1, most, most, inf, most},
      {1, most, -most, 0, 0},        {1, -most, -most, -inf, -most},
      {nan, 1, most, nan, most},     {0, inf, -inf, nan, -most},
      {0, inf, 0, nan, 0},           {0, -0.0f, -0.0f, -0.0f, -0.0f},
      {0, most, inf, inf, most},
  };
  for (const auto& row : table)
    for (const bool saturate : {false, true}) {
      std::vector<half> got, relu;
      run_kernel([&] {
        toprope::core().saturate = saturate;
        auto d = tensor<half>(0, std::vector<half>(16, half(row[1])));
        auto again = tensor<half>(64, std::vector<half>(16, half(row[1])));
        auto a = tensor<half>(512, std::vector<half>(16, half(row[0]))),
             b = tensor<half>(1024, std::vector<half>(16, half(row[2])));
        AscendC::FusedMulAdd(d, a, b, 16);
        AscendC::FusedMulAddRelu(again, a, b, 16);
        got = values(d), relu = values(again);
      });
      const float want = row[3 + saturate];
      EXPECT_TRUE(same(got[0], half(want)))
          << row[0] << " " << row[1] << " " << row[2] << ": " << float(got[0]);
      EXPECT_TRUE(same(relu[0], half(static_cast<float>(relu_of(want)))))
          << row[0] << " " << row[1] << " " << row[2] << ": " << float(relu[0]);
    }
}

TEST_P(TernaryTest, Axpy) {
  const auto src = samples<half>(2048, 1), scalars = samples<half>(150, 2), before = samples<half>(2048, 4);
  for (const bool saturate : {false, true})
    for (size_t k = 0; k < 150; k += 7) {
      std::vector<half> narrow;
      std::vector<float> wide, plain;
      const std::vector<float> wide_before(before.begin(), before.end()), wide_src(src.begin(), src.end());
      const auto status = run_kernel([&] {
        toprope::core().saturate = saturate;
        auto s = tensor<half>(32768, src);
        auto d = tensor<half>(0, before);
        auto w = tensor<float>(65536, wide_before), f = tensor<float>(98304, wide_before);
        AscendC::Axpy(d, s, scalars[k], 2048);
        AscendC::Axpy(w, s, scalars[k], uint64_t{64}, 32, {1, 1, 8, 4});
        AscendC::Axpy(f, tensor<float>(131072, wide_src), float(scalars[k]), 2048);
        narrow = values(d), wide = values(w), plain = values(f);
      });
      ASSERT_EQ(status.report, "");
      std::vector<half> want(2048);
      std::vector<float> want_wide(2048);
      for (size_t i = 0; i < 2048; ++i) {
        want[i] = mul_add<half>(float(src[i]), float(scalars[k]), float(before[i]), saturate);
        want_wide[i] = mul_add<float>(float(src[i]), float(scalars[k]), float(before[i]), false);
      }
      const auto what = "Axpy by " + std::to_string(float(scalars[k]));
      expect_same(narrow, want, what + " half");
      expect_same(wide, want_wide, what + " half to float");
      expect_same(plain, want_wide, what + " float");
    }
}

TEST_P(TernaryTest, RoundsTheProduct) {  // one rounding of 1.0009765625² - 1 in half would give 0.00195408
  std::vector<half> got;
  run_kernel([&] {
    auto a = tensor<half>(0, std::vector<half>(16, half(1 + 0x1p-10f)));
    auto d = tensor<half>(64, std::vector<half>(16, half(-1)));
    AscendC::MulAddDst(d, a, a, 16);
    got = values(d);
  });
  EXPECT_EQ(float(got[0]), 0x1p-9f);
}

TEST_P(TernaryTest, RefusesAWiderDestinationOverItsSource) {
  auto report = [](uint32_t at) {
    return run_kernel([at] {
             auto s = tensor<half>(1024, std::vector<half>(128));
             auto d = tensor<float>(at, std::vector<float>(128));
             AscendC::MulAddDst(d, s, s, 128);
           })
        .report;
  };
  EXPECT_NE(report(544).find("MulAddDst: dst and src0 share bytes of UB from byte 1024 on"),
            std::string::npos)
      << report(544);
  EXPECT_EQ(report(512), "");
  EXPECT_EQ(report(1280), "");
  const auto between = run_kernel([] {  // blocks that alternate share nothing
    auto all = tensor<half>(0, std::vector<half>(1024));
    AscendC::Axpy(all[0].ReinterpretCast<float>(), all[16], half(2), uint64_t{64}, 1, {2, 2, 16, 8});
  });
  EXPECT_EQ(between.report, "");
}

INSTANTIATE_TEST_SUITE_P(Simd, TernaryTest, ::testing::Bool(), target_of);

}  // namespace
