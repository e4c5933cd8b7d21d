// What tiling functions tell hosts against what the functions take: the minimum is enough.
#include "support/kernel.h"
#include "tiling/tiling_api.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::TensorShape;
using toprope::Fault;

const TensorShape kShape({1000});

/// The fault of `body` on 1000 elements with `bytes` of temporary memory.
template <class T, class Body>
Fault fault_with(uint32_t bytes, Body body) {
  return run_kernel([&] {
           const std::vector<T> ones(1000, T(0.5f));
           body(tensor(0, ones), tensor(8192, ones),
                LocalTensor<uint8_t>(AscendC::TPosition::VECCALC, 65536, bytes));
         })
      .fault;
}

using Sizes = void (*)(const TensorShape&, uint32_t, bool, uint32_t&, uint32_t&);
using Factors = void (*)(uint32_t, uint32_t&, uint32_t&);

template <class T, class Body>
void check(Sizes sizes, Factors factors, Body body, const char* name) {
  uint32_t most = 0, least = 0, factor = 0, extra = 0;
  sizes(kShape, sizeof(T), false, most, least);
  EXPECT_GT(least, 0u) << name;
  EXPECT_GE(most, least) << name;
  EXPECT_EQ(fault_with<T>(least, body), Fault::None) << name;
  EXPECT_EQ(fault_with<T>(most, body), Fault::None) << name;
  if (!factors) return;
  factors(sizeof(T), factor, extra);
  // The page computes from the factor how many elements fit, and at least 256 bytes of them.
  EXPECT_EQ(fault_with<T>(256 * factor + extra, body), Fault::None) << name;
}

#define CHECK(Name, T)                                                            \
  check<T>(                                                                       \
      AscendC::Get##Name##MaxMinTmpSize, AscendC::Get##Name##TmpBufferFactorSize, \
      [](auto dst, auto src, auto memory) { AscendC::Name(dst, src, memory, 1000); }, #Name " " #T)
#define CHECK_BOTH(Name) \
  CHECK(Name, float);    \
  CHECK(Name, half)

TEST(Sizes, OfMathematicalFunctions) {
  CHECK_BOTH(Tanh);
  CHECK_BOTH(Tan);
  CHECK_BOTH(Asin);
  CHECK_BOTH(Acos);
  CHECK_BOTH(Atan);
  CHECK_BOTH(Sinh);
  CHECK_BOTH(Cosh);
  CHECK_BOTH(Asinh);
  CHECK_BOTH(Acosh);
  CHECK_BOTH(Atanh);
  CHECK_BOTH(Erf);
  CHECK_BOTH(Erfc);
  CHECK_BOTH(Lgamma);
  CHECK_BOTH(Digamma);
  CHECK_BOTH(Frac);
  CHECK_BOTH(Sign);
  CHECK(Trunc, half);
  CHECK(Ceil, half);
  CHECK(Floor, half);
  CHECK(Log2, half);
  check<float>(
      AscendC::GetFmodMaxMinTmpSize, AscendC::GetFmodTmpBufferFactorSize,
      [](auto d, auto s, auto m) { AscendC::Fmod(d, s, s, m); }, "Fmod");
  check<half>(
      AscendC::GetSigmoidMaxMinTmpSize, nullptr, [](auto d, auto s, auto m) { AscendC::Sigmoid(d, s, m); },
      "Sigmoid");
  check<float>(
      AscendC::GetGeGLUMaxMinTmpSize, AscendC::GetGeGLUTmpBufferFactorSize,
      [](auto d, auto s, auto m) { AscendC::GeGLU(d, s, s, m); }, "GeGLU");
}

TEST(Sizes, OfThoseThatNeedNone) {
  uint32_t most = 1, least = 1;
  AscendC::GetFloorMaxMinTmpSize(kShape, 4, false, most, least);
  EXPECT_EQ(most + least, 0u);
  EXPECT_EQ(fault_with<float>(0, [](auto d, auto s, auto m) { AscendC::Floor(d, s, m, 1000); }), Fault::None);
  AscendC::GetLogMaxMinTmpSize(kShape, 2, false, most, least);
  EXPECT_EQ(most + least, 0u);
}

TEST(Sizes, OfPowerAndExp) {
  uint32_t most = 0, least = 0;
  AscendC::GetPowerMaxMinTmpSize(kShape, TensorShape({1}), false, 4, false, most, least);
  const auto power = [](auto d, auto s, auto m) { AscendC::Power(d, s, 2.0f, m); };
  EXPECT_EQ(fault_with<float>(least, power), Fault::None);
  EXPECT_EQ(fault_with<float>(least - 1, power), Fault::Exception);
  EXPECT_TRUE(AscendC::GetExpMaxMinTmpSize(kShape, 2, false, most, least));
  const auto exp = [](auto d, auto s, auto m) { AscendC::Exp<half, 10>(d, s, m, 1000); };
  EXPECT_EQ(fault_with<half>(least, exp), Fault::None);
  EXPECT_EQ(fault_with<half>(least - 1, exp), Fault::Exception);
}

}  // namespace
