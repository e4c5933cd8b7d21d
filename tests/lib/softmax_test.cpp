// The softmax family against its definition in double.
#include <cmath>
#include <functional>
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::SoftmaxConfig;
using AscendC::SoftMaxShapeInfo;
using toprope::Fault;
using Doubles = std::vector<double>;

constexpr SoftmaxConfig kOneValue{false, 0, 0, AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

/// A matrix of m rows of k elements, of which `used` count.
struct Matrix {
  uint32_t m, k, used;
  SoftMaxShapeInfo info() const { return {m, k, m, used}; }
};

Doubles random_values(uint32_t n, double low, double high, uint32_t seed) {
  std::mt19937 random(seed);
  Doubles v;
  while (v.size() < n) v.push_back(static_cast<float>(std::uniform_real_distribution<>(low, high)(random)));
  return v;
}

template <class T>
std::vector<T> as(const Doubles& v) {
  std::vector<T> r;
  for (const double d : v) r.push_back(T(static_cast<float>(d)));
  return r;
}
template <class T>
Doubles rounded(const Doubles& v) {
  Doubles r;
  for (const T t : as<T>(v)) r.push_back(static_cast<double>(t));
  return r;
}
/// One value a row, as a DataBlock of equal ones or as it is.
template <class T>
std::vector<T> of_rows(const Doubles& v, bool one_value = false) {
  std::vector<T> r;
  for (const double d : v) r.insert(r.end(), one_value ? 1 : 32 / sizeof(T), T(static_cast<float>(d)));
  return r;
}

/// Places tensors one after the other.
class Ub {
 public:
  template <class T>
  LocalTensor<T> operator()(const std::vector<T>& v) {
    const auto t = tensor<T>(at_, v);
    at_ += static_cast<uint32_t>((v.size() * sizeof(T) + 31) / 32 * 32);
    return t;
  }
  LocalTensor<uint8_t> temporary(uint32_t bytes) { return {AscendC::TPosition::VECCALC, at_, bytes}; }

 private:
  uint32_t at_ = 0;
};

struct Expected {
  Doubles result, max, sum, exp_max;
};

Expected reference(const Matrix& s, const Doubles& x, const Doubles* in_max, const Doubles* in_sum) {
  Expected e;
  for (uint32_t r = 0; r < s.m; ++r) {
    const double* row = &x[r * s.k];
    double max = *std::max_element(row, row + s.used), sum = 0;
    if (in_max) max = std::max(max, (*in_max)[r]);
    for (uint32_t c = 0; c < s.used; ++c) sum += std::exp(row[c] - max);
    if (in_max) {
      e.exp_max.push_back(std::exp((*in_max)[r] - max));
      sum += e.exp_max.back() * (*in_sum)[r];
    }
    for (uint32_t c = 0; c < s.k; ++c) e.result.push_back(std::exp(row[c] - max));
    e.max.push_back(max), e.sum.push_back(sum);
  }
  return e;
}

template <class T>
void expect_near(const std::vector<T>& got, const Doubles& want, const Matrix& s, const char* what) {
  const double tolerance = sizeof(T) == 2 ? 1.2e-3 : 3e-6;
  for (size_t i = 0; i < want.size(); ++i)
    if (i % s.k < s.used) {
      ASSERT_NEAR(static_cast<double>(got[i]), want[i], tolerance * std::fabs(want[i]) + 1e-7)
          << what << " " << i << " of " << s.m << "x" << s.k;
    }
}
template <class T>
void expect_rows(const std::vector<T>& got, const Doubles& want, const char* what, bool one_value = false) {
  const uint32_t step = one_value ? 1 : 32 / sizeof(T);
  ASSERT_EQ(got.size(), want.size() * step);
  for (size_t i = 0; i < got.size(); ++i)
    ASSERT_NEAR(static_cast<double>(got[i]), want[i / step],
                (sizeof(T) == 2 ? 1e-3 : 3e-6) * std::fabs(want[i / step]) + 1e-7)
        << what << " " << i;
}

Doubles divided(Doubles v, const Doubles& by, uint32_t k) {
  for (size_t i = 0; i < v.size(); ++i) v[i] /= by[i / k];
  return v;
}

const Matrix shapes[] = {{8, 64, 64}, {3, 16, 11}, {17, 144, 130}, {2, 2064, 2050}, {40, 48, 48}};

template <class T, class S>
void check_softmax(const Matrix& s, uint32_t bytes) {
  const Doubles x = rounded<T>(random_values(s.m * s.k, -10, 10, s.k));
  const Expected e = reference(s, x, nullptr, nullptr);
  const auto status = run_kernel([&] {
    Ub ub;
    const auto src = ub(as<T>(x)), dst = ub(as<T>(x));
    const auto max = ub(of_rows<S>(e.sum)), sum = ub(of_rows<S>(e.max));
    AscendC::SoftMax<T>(dst, sum, max, src, ub.temporary(bytes), SoftMaxTiling{}, s.info());
    expect_near(values(dst), divided(e.result, e.sum, s.k), s, "SoftMax");
    expect_rows(values(max), e.max, "max");
    expect_rows(values(sum), e.sum, "sum");
    AscendC::SimpleSoftMax<T>(dst, sum, max, src, ub.temporary(bytes), SoftMaxTiling{}, s.info());
    expect_near(values(dst), divided(e.result, e.sum, s.k), s, "SimpleSoftMax");
    AscendC::SoftMax<T>(src, src, ub.temporary(bytes), SoftMaxTiling{}, s.info());
    expect_near(values(src), divided(e.result, e.sum, s.k), s, "SoftMax in place");
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

TEST(SoftMax, RowsAndTheirMaximaAndSums) {
  for (const Matrix& s : shapes) {
    const auto least = static_cast<uint32_t>(toprope::lib::softmax_bytes(1, s.k, 1));
    check_softmax<float, float>(s, 32768);
    check_softmax<float, float>(s, static_cast<uint32_t>(toprope::lib::softmax_bytes(1, s.k, 0)));
    check_softmax<half, half>(s, 32768);
    check_softmax<half, float>(s, least);
  }
}

TEST(SoftMax, ValuesOfThePage) {
  const std::vector<float> x = {9, 10, 15, 20, 30, 50, 60, 80, -9, -8, -7, -6, -5, -4, -3, -2};
  const auto status = run_kernel([&] {
    Ub ub;
    const auto src = ub(x), dst = ub(x), max = ub(x), sum = ub(x);
    AscendC::SoftMax<float>(dst, sum, max, src, ub.temporary(8192), SoftMaxTiling{},
                            SoftMaxShapeInfo{2, 8, 2, 8});
    EXPECT_EQ(dst.GetValue(7), 1);
    EXPECT_NEAR(sum.GetValue(8), 1.5814459, 1e-6);
    EXPECT_EQ(max.GetValue(15), -2);
    AscendC::LogSoftMax<float>(dst, sum, max, src, ub.temporary(8192), LogSoftMaxTiling{},
                               SoftMaxShapeInfo{2, 8, 2, 8});
    EXPECT_NEAR(dst.GetValue(8), -3.2391157, 2e-6);
    EXPECT_NEAR(dst.GetValue(1), -30.400614, 2e-5);
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// Masks of the function's own instructions are bits and lanes, whatever the kernel has set.
TEST(SoftMax, InAKernelsCounterMode) {
  const auto status = run_kernel([&] {
    Ub ub;
    const auto src = ub(std::vector<float>(16 * 128, 1.0f)), dst = ub(std::vector<float>(16 * 128, 0.0f));
    AscendC::SetMaskCount();
    AscendC::SoftMax<float>(dst, src, ub.temporary(16384), SoftMaxTiling{},
                            SoftMaxShapeInfo{16, 128, 16, 128});
    EXPECT_TRUE(toprope::core().mask.counter);
    AscendC::SetMaskNorm();
    for (uint32_t i = 0; i < 16 * 128; ++i) ASSERT_EQ(dst.GetValue(i), 1.0f / 128) << i;
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// In NZ layout a strip of 16 columns of all rows comes before the next.
TEST(SoftMax, StripsOfColumns) {
  const Matrix s{32, 48, 40};
  const Doubles x = rounded<half>(random_values(s.m * s.k, -5, 5, 1));
  const auto place = [&](uint32_t r, uint32_t c) { return c / 16 * s.m * 16 + r * 16 + c % 16; };
  Doubles strips(x.size());
  for (uint32_t r = 0; r < s.m; ++r)
    for (uint32_t c = 0; c < s.k; ++c) strips[place(r, c)] = x[r * s.k + c];
  const Expected e = reference(s, x, nullptr, nullptr);
  const Doubles want = divided(e.result, e.sum, s.k);
  const auto status = run_kernel([&] {
    const auto check = [&](auto one) {
      using T = decltype(one);
      Ub ub;
      const auto src = ub(as<T>(strips)), dst = ub(as<T>(strips)), max = ub(of_rows<T>(e.sum)),
                 sum = ub(of_rows<T>(e.sum));
      AscendC::SoftMax<T, false, false, true>(dst, sum, max, src, ub.temporary(16384), SoftMaxTiling{},
                                              s.info());
      expect_rows(values(sum), e.sum, "sum");
      for (uint32_t r = 0; r < s.m; ++r)
        for (uint32_t c = 0; c < s.used; ++c)
          ASSERT_NEAR(static_cast<double>(dst.GetValue(place(r, c))), want[r * s.k + c], 2e-4)
              << r << "," << c;
    };
    check(1.0f);
    check(half(1.0f));
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

template <class T, class S>
void check_flash(const Matrix& s, uint32_t bytes) {
  const Doubles x = rounded<T>(random_values(s.m * s.k, -10, 10, s.k)),
                before = rounded<S>(random_values(s.m, -10, 14, 8)),
                sums = rounded<S>(random_values(s.m, 1, 9, 9));
  const Expected e = reference(s, x, &before, &sums);
  Doubles scaled;
  for (uint32_t r = 0; r < s.m; ++r) scaled.push_back(e.exp_max[r] * sums[r] / e.sum[r]);
  const auto status = run_kernel([&] {
    Ub ub;
    const auto src = ub(as<T>(x)), dst = ub(as<T>(x)), exp_max = ub(of_rows<T>(sums));
    auto max = ub(of_rows<S>(before)), sum = ub(of_rows<S>(sums));
    AscendC::SoftmaxFlashV2<T, true>(dst, sum, max, src, exp_max, sum, max, ub.temporary(bytes),
                                     SoftMaxTiling{}, s.info());
    expect_near(values(dst), e.result, s, "FlashV2");
    expect_rows(values(sum), e.sum, "sum");
    expect_rows(values(max), e.max, "max");
    expect_rows(values(exp_max), e.exp_max, "exp_max");
    Ub again;
    const auto in = again(as<T>(x));
    max = ub(of_rows<S>(before)), sum = ub(of_rows<S>(sums));
    AscendC::SoftmaxFlash<T>(in, sum, max, in, exp_max, sum, max, ub.temporary(bytes), SoftMaxTiling{}, true,
                             s.info());
    expect_near(values(in), divided(e.result, e.sum, s.k), s, "Flash");
    expect_rows(values(exp_max), scaled, "exp_max of Flash");
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

TEST(SoftmaxFlash, WithWhatCameBefore) {
  for (const Matrix& s : {shapes[0], shapes[2], shapes[4]}) {
    check_flash<float, float>(s, 16384);
    check_flash<half, half>(s, 16384);
    check_flash<half, float>(s, static_cast<uint32_t>(toprope::lib::softmax_bytes(1, s.k, 1)));
  }
}

TEST(SoftmaxFlash, OneElementARow) {
  const Matrix s{40, 64, 64};
  const Doubles x = random_values(s.m * s.k, -10, 10, 1), before = random_values(s.m, -10, 14, 8),
                sums = random_values(s.m, 1, 9, 9);
  const Expected e = reference(s, x, &before, &sums);
  Doubles own;
  for (uint32_t r = 0; r < s.m; ++r) own.push_back(*std::max_element(&x[r * s.k], &x[r * s.k] + s.k));
  const auto status = run_kernel([&] {
    Ub ub;
    const auto src = ub(as<float>(x)), dst = ub(as<float>(x)), exp_max = ub(of_rows<float>(sums, true)),
               max = ub(of_rows<float>(before, true)), sum = ub(of_rows<float>(sums, true)),
               reduced = ub(of_rows<float>(sums, true));
    AscendC::SoftmaxFlashV2<float, true, false, false, false, kOneValue>(
        dst, reduced, sum, max, src, exp_max, sum, max, ub.temporary(16 * 48 + 512), SoftMaxTiling{},
        s.info());
    expect_near(values(dst), e.result, s, "FlashV2");
    expect_rows(values(sum), e.sum, "sum", true);
    expect_rows(values(max), e.max, "max", true);
    expect_rows(values(exp_max), e.exp_max, "exp_max", true);
    expect_rows(values(reduced), own, "reduce_max", true);
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// As the page defines it, sums in double.
TEST(SoftmaxFlash, ShiftedByMeans) {
  const uint32_t m = 8, k = 1024, loops = 3;
  const double alpha = 0.9375f, factor = alpha / (1 - alpha);
  const Doubles x = rounded<half>(random_values(m * k, 0, 10, 3));
  Doubles result, maxima, sums, means, scales;
  for (uint32_t r = 0; r < m; ++r) {
    Doubles row(&x[r * k], &x[r * k] + k), partial(64, 0.0), local(8, 0.0);
    for (uint32_t i = 0; i < 512; ++i) partial[i / 8] += row[i];
    for (uint32_t i = 512; i < k; ++i) partial[i % 64] += row[i];
    double global = 0;
    for (uint32_t i = 0; i < 64; ++i) local[i / 8] += partial[i] / (k / 8);
    for (const double v : local) global += v / 8;
    for (uint32_t i = 0; i < k; ++i) row[i] -= (global - local[i / (k / 8)]) * factor;
    const double mean = (global + 0.5 * (loops - 1)) / loops, now = (global - mean) * factor,
                 before = (0.5 - mean) * factor,
                 max = std::max(now + *std::max_element(row.begin(), row.end()), before + 0.5);
    double sum = 0;
    for (const double v : row) result.push_back(std::exp(v - (max - now))), sum += result.back();
    scales.push_back(std::exp(0.5 - max + before));
    sums.push_back(sum + scales.back() * 0.5), maxima.push_back(max), means.push_back(mean);
  }
  const auto status = run_kernel([&] {
    Ub ub;
    const std::vector<float> halves(m * 8, 0.5f);
    const auto src = ub(as<half>(x)), dst = ub(as<half>(x)), scale = ub(of_rows<half>(scales));
    const auto mean = ub(halves), sum = ub(halves), max = ub(halves);
    AscendC::SoftmaxFlashV3<half, float, true>(dst, mean, sum, max, src, scale, mean, sum, max,
                                               ub.temporary(30000), SoftMaxTiling{},
                                               AscendC::SoftMaxParams{m, k, m, k, loops, 8, 0.9375f});
    const auto got = values(dst);
    for (size_t i = 0; i < result.size(); ++i)
      ASSERT_NEAR(static_cast<double>(got[i]), result[i], 2e-3 * result[i] + 1e-5) << i;
    for (uint32_t r = 0; r < m; ++r) {
      EXPECT_NEAR(mean.GetValue(8 * r + 7), means[r], 1e-5);
      EXPECT_NEAR(max.GetValue(8 * r), maxima[r], 1e-4);
      EXPECT_NEAR(sum.GetValue(8 * r) / sums[r], 1, 1e-4);
    }
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

template <class T>
void check_grad(const Matrix& s, uint32_t bytes) {
  const Doubles grad = rounded<T>(random_values(s.m * s.k, -2, 2, 5)),
                src = rounded<T>(random_values(s.m * s.k, 0, 1, 6));
  Doubles sums, want;
  for (uint32_t r = 0; r < s.m; ++r) {
    double sum = 0;
    for (uint32_t c = 0; c < s.used; ++c) sum += grad[r * s.k + c] * src[r * s.k + c];
    sums.push_back(sum);
    for (uint32_t c = 0; c < s.k; ++c) want.push_back((grad[r * s.k + c] - sum) * src[r * s.k + c]);
  }
  const auto status = run_kernel([&] {
    Ub ub;
    const auto g = ub(as<T>(grad)), y = ub(as<T>(src)), front = ub(of_rows<T>(sums));
    AscendC::SoftmaxGradFront<T>(front, g, y, ub.temporary(bytes), SoftMaxTiling{}, s.info());
    const auto f = values(front);
    for (size_t i = 0; i < f.size(); ++i)
      ASSERT_NEAR(static_cast<double>(f[i]), sums[i / (32 / sizeof(T))], sizeof(T) == 2 ? 2e-2 : 1e-4);
    AscendC::SoftmaxGrad<T>(y, g, y, ub.temporary(bytes), SoftMaxTiling{}, false, s.info());
    const auto got = values(y);
    for (size_t i = 0; i < got.size(); ++i)
      if (i % s.k < s.used) {
        ASSERT_NEAR(static_cast<double>(got[i]), want[i],
                    (sizeof(T) == 2 ? 1e-3 : 1e-5) * (1 + std::fabs(want[i])));
      }
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

TEST(SoftmaxGrad, SumsAndGradients) {
  for (const Matrix& s : shapes) {
    check_grad<float>(s, 24576);
    check_grad<half>(s, static_cast<uint32_t>(toprope::lib::softmax_bytes(1, s.k, 2)));
  }
}

TEST(AdjustSoftMaxRes, RowsWithTheValue) {
  const auto status = run_kernel([] {
    AscendC::TPipe pipe;
    Ub ub;
    const auto res = ub(std::vector<float>(32, 1.0f)), max = ub(std::vector<float>(32, 2.0f));
    const SoftMaxShapeInfo s{4, 8, 4, 8};
    EXPECT_FALSE((AscendC::AdjustSoftMaxRes<float, float>(res, max, 0xff7fffff, 0.0f, s)));
    max.SetValue(16, -3.402823466e38f);
    EXPECT_TRUE((AscendC::AdjustSoftMaxRes<float, float>(res, max, 0xff7fffff, 7.0f, s)));
    for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(res.GetValue(i), i / 8 == 2 ? 7 : 1) << i;
  });
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

}  // namespace
