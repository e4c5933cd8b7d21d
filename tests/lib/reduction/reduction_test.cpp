// Sum, Mean, ReduceXorSum and the reductions of an axis: integers, whose sums and products are exact.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;
using AscendC::Pattern::Reduce::AR;
using AscendC::Pattern::Reduce::RA;
using lib::Matrix;
using lib::Reduction;

class AxisReduction : public BothTargets {};

template <class T>
uint32_t padded(uint32_t columns) {
  return (columns * static_cast<uint32_t>(sizeof(T)) + 31) / 32 * 32 / static_cast<uint32_t>(sizeof(T));
}

template <class T>
std::vector<T> integers(size_t count, int low, int high, uint32_t seed) {
  std::vector<T> v;
  for (const float x : noise<float>(count, low, high, seed)) v.push_back(T(std::floor(x)));
  return v;
}

template <class T>
void check_sum_and_mean(uint32_t rows, uint32_t columns) {
  const uint32_t inner = padded<T>(columns);
  const auto x = integers<T>(size_t{rows} * inner, -8, 9, 1);
  std::vector<T> sums, means;
  for (uint32_t r = 0; r < rows; ++r) {
    float sum = 0;
    for (uint32_t c = 0; c < columns; ++c) sum += static_cast<float>(x[r * inner + c]);
    sums.push_back(T(sum));
    means.push_back(T(sum / static_cast<float>(columns)));
  }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(rows), in = ub(x);
    auto tmp = ub.zeros<uint8_t>(std::max(memory::mean(sizeof(T), 4, columns), memory::mean(4, 4, columns)));
    AscendC::Sum(y, in, tmp, AscendC::SumParams{rows, inner, columns});
    expect_same(values(y), sums, "Sum");
    AscendC::Sum(y, in, {rows, inner, columns});
    expect_same(values(y), sums, "Sum without temporary memory");
    AscendC::Mean(y, in, tmp, {rows, inner, columns});
    expect_same(values(y), means, "Mean");
    AscendC::Mean<T, float>(y, in, tmp, {rows, inner, columns});
    expect_same(values(y), means, "Mean in float");
    EXPECT_TRUE(ub.untouched());
    expect_same(values(in), x, "the source");
  });
}

TEST_P(AxisReduction, SumAndMean) {
  for (const uint32_t rows : {1u, 3u, 70u})
    for (const uint32_t columns : {1u, 10u, 64u, 139u, 500u}) {
      if (rows * columns > 10000) continue;
      check_sum_and_mean<float>(rows, columns);
      check_sum_and_mean<half>(rows, columns);
    }
}

float fold(Reduction what, float a, float b) {
  switch (what) {
    case Reduction::Max:
    case Reduction::Any:
      return std::max(a, b);
    case Reduction::Min:
    case Reduction::All:
      return std::min(a, b);
    case Reduction::Prod:
      return a * b;
    default:
      return a + b;
  }
}

/// `call` is the function with AR or RA as its pattern.
template <class T, class pattern, class Call>
void check(Reduction what, uint32_t rows, uint32_t columns, Call call) {
  constexpr bool of_rows = std::is_same_v<pattern, AR>;
  const uint32_t inner = padded<T>(columns);
  const bool flags = what == Reduction::Any || what == Reduction::All;
  auto x = integers<T>(size_t{rows} * inner, flags ? 0 : -8, flags ? 2 : 9, 1);
  if (what == Reduction::Prod)  // products stay powers of two
    for (size_t i = 0; i < x.size(); ++i) x[i] = T(i % 3 == 0 ? 2.0f : i % 3 == 1 ? 0.5f : -1.0f);
  const uint32_t results = of_rows ? rows : columns, length = of_rows ? columns : rows;
  std::vector<T> want;
  for (uint32_t i = 0; i < results; ++i) {
    const auto at = [&](uint32_t k) {
      return static_cast<float>(of_rows ? x[i * inner + k] : x[k * inner + i]);
    };
    float value = at(0);
    for (uint32_t k = 1; k < length; ++k) value = fold(what, value, at(k));
    if (what == Reduction::Mean) value /= static_cast<float>(length);
    want.push_back(T(value));
  }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(padded<T>(results)), in = ub(x);  // bytes are written two at a time
    auto tmp = ub.zeros<uint8_t>(memory::reduce(what, of_rows, sizeof(T), Matrix{rows, columns, inner}, 1));
    const uint32_t shape[] = {rows, columns};
    call(y, in, tmp, shape);
    std::vector<T> got = values(y);
    got.resize(results);
    expect_same(got, want,
                std::string(of_rows ? "AR" : "RA") + " reduction " + std::to_string(static_cast<int>(what)) +
                    " of " + std::to_string(rows) + " x " + std::to_string(columns));
    EXPECT_TRUE(ub.untouched());
    expect_same(values(in), x, "the source");
  });
}

#define TOPROPE_CHECK(T, name)                                                                  \
  for (const auto& [rows, columns] : kShapes) {                                                 \
    check<T, AR>(Reduction::name, rows, columns, [](auto&... a) { call_##name<T, AR>(a...); }); \
    check<T, RA>(Reduction::name, rows, columns, [](auto&... a) { call_##name<T, RA>(a...); }); \
  }
#define TOPROPE_CALL(name)                                                            \
  template <class T, class pattern, class D, class M>                                 \
  void call_##name(const D& y, const D& x, const M& tmp, const uint32_t(&shape)[2]) { \
    AscendC::Reduce##name<T, pattern>(y, x, tmp, shape, true);                        \
  }
TOPROPE_CALL(Sum)
TOPROPE_CALL(Mean)
TOPROPE_CALL(Max)
TOPROPE_CALL(Min)
TOPROPE_CALL(Any)
TOPROPE_CALL(All)
TOPROPE_CALL(Prod)

constexpr std::pair<uint32_t, uint32_t> kShapes[] = {{1, 1}, {3, 10}, {8, 64}, {9, 139}, {40, 32}, {2, 500}};

TEST_P(AxisReduction, Patterns){TOPROPE_CHECK(float, Sum) TOPROPE_CHECK(float, Mean) TOPROPE_CHECK(float, Max)
                                    TOPROPE_CHECK(half, Max) TOPROPE_CHECK(float, Min)
                                        TOPROPE_CHECK(half, Min) TOPROPE_CHECK(float, Any)
                                            TOPROPE_CHECK(uint8_t, Any) TOPROPE_CHECK(float, All)
                                                TOPROPE_CHECK(uint8_t, All) TOPROPE_CHECK(float, Prod)}
#undef TOPROPE_CHECK
#undef TOPROPE_CALL

TEST_P(AxisReduction, XorSum) {
  for (const uint32_t count : {16u, 100u, 999u}) {
    const auto a = integers<int16_t>(count, -300, 300, 1), b = integers<int16_t>(count, -300, 300, 2);
    int64_t sum = 0;
    for (uint32_t i = 0; i < count; ++i) sum += static_cast<int16_t>(a[i] ^ b[i]);
    run_clean([&] {
      Arena ub;
      auto y = ub.zeros<int16_t>(16), s0 = ub(a), s1 = ub(b);
      auto tmp = ub.zeros<uint8_t>(memory::kXorSumRest + memory::kXorSumElement * 64);
      AscendC::ReduceXorSum(y, s0, s1, tmp, count);
      EXPECT_EQ(y.GetValue(0),
                static_cast<int16_t>(std::min<int64_t>(32767, std::max<int64_t>(-32768, sum))));
      EXPECT_EQ(y.GetValue(1), 0) << "only one element is written";
      EXPECT_TRUE(ub.untouched());
    });
  }
}

TEST_P(AxisReduction, XorSumIsClamped) {
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<int16_t>(16), s0 = ub(std::vector<int16_t>(64, 0x7FFF)), s1 = ub.zeros<int16_t>(64);
    auto tmp = ub.zeros<uint8_t>(memory::kXorSumRest + memory::kXorSumElement * 64);
    AscendC::ReduceXorSum(y, s0, s1, tmp, 64);
    EXPECT_EQ(y.GetValue(0), 32767);
  });
}

INSTANTIATE_TEST_SUITE_P(Simd, AxisReduction, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
