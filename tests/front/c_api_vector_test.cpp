// The C API's element-wise functions: two sources, one, and a vector with a scalar. The arithmetic itself is
// tested in tests/isa; here it is which instruction a name is, its operands, strides, mask and element types.
#include "support/c_api.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;

TEST(CApiVector, Arithmetic) {
  const auto each = [](auto check) {
    check(half{});
    check(float{});
    check(int16_t{});
    check(int32_t{});
  };
  each([](auto t) {
    using T = decltype(t);
    two_sources<T>(C_API(asc_add), [](T, T a, T b) { return static_cast<T>(a + b); });
    two_sources<T>(C_API(asc_sub), [](T, T a, T b) { return static_cast<T>(a - b); });
    two_sources<T>(C_API(asc_mul), [](T, T a, T b) { return static_cast<T>(a * b); });
    two_sources<T>(C_API(asc_max), [](T, T a, T b) { return a > b ? a : b; });
    two_sources<T>(C_API(asc_min), [](T, T a, T b) { return a < b ? a : b; });
  });
  const auto divide = [](auto t) {
    using T = decltype(t);
    const auto powers =
        values_of<T>([](uint32_t i) { return std::ldexp(1.0f, static_cast<int>(i % 7) - 3); });
    two_sources<T, T>(C_API(asc_div), whole_numbers<T>(7), powers,
                      [](T, T a, T b) { return static_cast<T>(a / b); });
  };
  divide(half{});
  divide(float{});
}

TEST(CApiVector, Logic) {
  const auto each = [](auto t) {
    using T = decltype(t);
    two_sources<T>(C_API(asc_and), [](T, T a, T b) { return static_cast<T>(a & b); });
    two_sources<T>(C_API(asc_or), [](T, T a, T b) { return static_cast<T>(a | b); });
    one_source<T, T>(C_API(asc_not), whole_numbers<T>(7), [](T, T a) { return static_cast<T>(~a); });
  };
  each(int16_t{});
  each(uint16_t{});
}

template <class T, class U, class F>
void relu_of(F f, int sign) {
  two_sources<T, U>(f, [sign](T, U a, U b) {
    const double sum = static_cast<double>(a) + sign * static_cast<double>(b);
    return static_cast<T>(static_cast<float>(sum > 0 ? sum : 0));
  });
}

TEST(CApiVector, SumsAndTheirPositivePart) {
  relu_of<half, half>(C_API(asc_add_relu), 1);
  relu_of<float, float>(C_API(asc_add_relu), 1);
  relu_of<int16_t, int16_t>(C_API(asc_add_relu), 1);
  relu_of<int8_t, int16_t>(C_API(asc_add_relu), 1);
  relu_of<half, float>(C_API(asc_add_relu), 1);
  relu_of<int8_t, half>(C_API(asc_add_relu), 1);
  relu_of<half, half>(C_API(asc_sub_relu), -1);
  relu_of<float, float>(C_API(asc_sub_relu), -1);
  relu_of<int16_t, int16_t>(C_API(asc_sub_relu), -1);
  relu_of<int8_t, int16_t>(C_API(asc_sub_relu), -1);
  relu_of<half, float>(C_API(asc_sub_relu), -1);
  relu_of<int8_t, half>(C_API(asc_sub_relu), -1);
}

TEST(CApiVector, ProductsAndSums) {
  const auto each = [](auto t, auto u) {
    using T = decltype(t);
    using U = decltype(u);
    two_sources<T, U>(C_API(asc_fma), [](T d, U a, U b) {
      return static_cast<T>(static_cast<float>(a) * static_cast<float>(b) + static_cast<float>(d));
    });
  };
  each(half{}, half{});
  each(float{}, half{});
  each(float{}, float{});
  const auto same = [](auto t) {
    using T = decltype(t);
    two_sources<T>(C_API(asc_mul_add), [](T d, T a, T b) { return static_cast<T>(a * d + b); });
    two_sources<T>(C_API(asc_mul_add_relu),
                   [](T d, T a, T b) { return a * d + b > T(0) ? static_cast<T>(a * d + b) : T(0); });
  };
  same(half{});
  same(float{});
  const auto quarters = values_of<half>([](uint32_t i) { return static_cast<float>(i % 40) * 0.25f; });
  const auto product = [](double a, double b) { return std::nearbyint(a * b); };
  two_sources<int8_t, half>(C_API(asc_mul_cast_half2int8), quarters, whole_numbers<half>(3),
                            [=](int8_t, half a, half b) { return static_cast<int8_t>(product(a, b)); });
  two_sources<uint8_t, half>(
      C_API(asc_mul_cast_half2uint8), quarters, whole_numbers<half>(3),
      [=](uint8_t, half a, half b) { return static_cast<uint8_t>(std::max(0.0, product(a, b))); });
}

template <class T>
void real_functions(double close) {
  const auto numbers = whole_numbers<T>(7);
  const auto positive = values_of<T>([](uint32_t i) { return 0.5f + static_cast<float>(i % 32); });
  const auto fourths =
      values_of<T>([](uint32_t i) { return std::ldexp(1.0f, 2 * (static_cast<int>(i % 5) - 2)); });
  one_source<T, T>(C_API(asc_abs), numbers,
                   [](T, T a) { return static_cast<T>(std::fabs(static_cast<float>(a))); });
  one_source<T, T>(C_API(asc_relu), numbers, [](T, T a) { return a > T(0) ? a : T(0); });
  one_source<T, T>(C_API(asc_sqrt), fourths,
                   [](T, T a) { return from_double<T>(std::sqrt(static_cast<double>(a))); });
  one_source<T, T>(
      C_API(asc_rsqrt), fourths, [](T, T a) { return from_double<T>(1 / std::sqrt(static_cast<double>(a))); },
      close);
  one_source<T, T>(
      C_API(asc_rcp), fourths, [](T, T a) { return from_double<T>(1 / static_cast<double>(a)); }, close);
  one_source<T, T>(
      C_API(asc_exp), values_of<T>([](uint32_t i) { return static_cast<float>(i % 9) - 4.0f; }),
      [](T, T a) { return from_double<T>(std::exp(static_cast<double>(a))); }, close);
  one_source<T, T>(
      C_API(asc_log), positive, [](T, T a) { return from_double<T>(std::log(static_cast<double>(a))); },
      close);
}

TEST(CApiVector, RealFunctions) {
  real_functions<half>(0x1p-10);
  real_functions<float>(0x1p-21);
  one_source<int32_t, int32_t>(C_API(asc_relu), whole_numbers<int32_t>(7),
                               [](int32_t, int32_t a) { return a > 0 ? a : 0; });
}

TEST(CApiVector, CopiesUnderAMask) {
  // asc_copy has no repeats of its own in counter mode: every repeat moves the register's number of elements.
  const auto each = [](auto t) {
    using T = decltype(t);
    const auto from = whole_numbers<T>(7), before = whole_numbers<T>(5);
    std::vector<T> first, waited, repeated;
    const auto status = run_kernel([&] {
      T *d = ub(kDst, before), *s = ub(kSrc[0], from);
      asc_set_mask_count();  // the first form brings its own count
      asc_copy(d, s, 200);
      first = read(d, kElements);
      asc_copy_sync(d, s, 201);
      waited = read(d, kElements);
      ub(kDst, before);
      asc_set_mask_norm();
      asc_set_vector_mask(kMask[1], kMask[0]);
      asc_copy(d, s, 2, 1, 2, 10, 17);
      repeated = read(d, kElements);
    });
    EXPECT_EQ(status.report, "");
    std::vector<T> want = before;
    std::copy_n(from.begin(), 200, want.begin());
    expect_same(first, want, "asc_copy");
    want[200] = from[200];
    expect_same(waited, want, "asc_copy_sync");
    want = before;
    for (uint32_t r = 0; r < 2; ++r)
      for (uint32_t lane = 0; lane < 256 / sizeof(T); ++lane)
        if (in_mask(lane)) want[place<T>({1, 10}, r, lane)] = from[place<T>({2, 17}, r, lane)];
    expect_same(repeated, want, "asc_copy of repeats");
  };
  each(int16_t{});
  each(uint16_t{});
  each(int32_t{});
  each(uint32_t{});
}

TEST(CApiVector, WithAScalar) {
  const auto each = [](auto t) {
    using T = decltype(t);
    const auto a = whole_numbers<T>(7);
    const T v = static_cast<T>(3);
    one_source<T, T>(C_API(asc_add_scalar), a, [=](T, T x) { return static_cast<T>(x + v); }, 0, v);
    one_source<T, T>(C_API(asc_sub_scalar), a, [=](T, T x) { return static_cast<T>(x - v); }, 0, v);
    one_source<T, T>(C_API(asc_mul_scalar), a, [=](T, T x) { return static_cast<T>(x * v); }, 0, v);
    one_source<T, T>(C_API(asc_max_scalar), a, [=](T, T x) { return x > v ? x : v; }, 0, v);
    one_source<T, T>(C_API(asc_min_scalar), a, [=](T, T x) { return x < v ? x : v; }, 0, v);
  };
  each(half{});
  each(float{});
  each(int16_t{});
  each(int32_t{});
  const auto real = [](auto t) {
    using T = decltype(t);
    one_source<T, T>(
        C_API(asc_leakyrelu), whole_numbers<T>(7),
        [](T, T x) { return x < T(0) ? static_cast<T>(x * T(0.25f)) : x; }, 0, T(0.25f));
  };
  real(half{});
  real(float{});
  const auto axpy = [](auto t, auto u) {
    using T = decltype(t);
    using U = decltype(u);
    one_source<T, U>(
        C_API(asc_axpy), whole_numbers<U>(7),
        [](T d, U x) { return static_cast<T>(static_cast<float>(x) * 3.0f + static_cast<float>(d)); }, 0,
        U(3.0f));
  };
  axpy(half{}, half{});
  axpy(float{}, half{});
  axpy(float{}, float{});
}

TEST(CApiVector, Shifts) {
  const auto each = [](auto t) {
    using T = decltype(t);
    const auto a = whole_numbers<T>(7);
    one_source<T, T>(C_API(asc_shiftleft), a, [](T, T x) { return static_cast<T>(x * 4); }, 0, 2u);
    const auto down = [](T, T x) { return static_cast<T>(std::floor(static_cast<double>(x) / 4)); };
    if constexpr (std::is_signed_v<T>) {
      one_source<T, T>(C_API(asc_shiftright), a, down, 0, 2);
      one_source<T, T>(
          C_API(asc_shiftright_round), a,
          [](T, T x) { return static_cast<T>(std::floor(static_cast<double>(x) / 4 + 0.5)); }, 0, 2);
    } else {
      one_source<T, T>(C_API(asc_shiftright), a, down, 0, 2u);
    }
  };
  each(int16_t{});
  each(uint16_t{});
  each(int32_t{});
  each(uint32_t{});
  const auto status = run_kernel([] { asc_shiftleft(ub<int16_t>(0), ub<int16_t>(512), 65552, 16); });
  EXPECT_NE(status.report.find("ShiftLeft"), std::string::npos) << status.report;
}

TEST(CApiVector, Fills) {
  const auto each = [](auto t) {
    using T = decltype(t);
    const auto before = whole_numbers<T>(5);
    const T v = static_cast<T>(18);
    std::vector<T> first, waited, repeated;
    const auto status = run_kernel([&] {
      T *d = ub(kDst, before);
      asc_duplicate(d, 18, 100);
      first = read(d, kElements);
      asc_duplicate_sync(d, 18, 101);
      waited = read(d, kElements);
      ub(kDst, before);
      asc_set_vector_mask(kMask[1], kMask[0]);
      asc_duplicate(d, v, 2, 2, 17);
      repeated = read(d, kElements);
    });
    EXPECT_EQ(status.report, "");
    std::vector<T> want = before;
    std::fill_n(want.begin(), 100, v);
    expect_same(first, want, "asc_duplicate");
    want[100] = v;
    expect_same(waited, want, "asc_duplicate_sync");
    want = before;
    for (uint32_t r = 0; r < 2; ++r)
      for (uint32_t lane = 0; lane < 256 / sizeof(T); ++lane)
        if (in_mask(lane)) want[place<T>({2, 17}, r, lane)] = v;
    expect_same(repeated, want, "asc_duplicate of repeats");
  };
  each(half{});
  each(int16_t{});
  each(uint16_t{});
  each(bfloat16_t{});
  each(float{});
  each(int32_t{});
  each(uint32_t{});
}

TEST(CApiVector, OneValueABlock) {  // the example of the page asc_brcb
  const auto each = [](auto t) {
    using T = decltype(t);
    constexpr uint32_t per_block = 32 / sizeof(T);
    std::vector<T> from(16), got, waited;
    for (uint32_t i = 0; i < 16; ++i) from[i] = static_cast<T>(i + 1);
    const auto status = run_kernel([&] {
      T *d = ub<T>(0), *s = ub(4096, from);
      asc_brcb(d, s, 1, 8, 2);
      got = read(d, 16 * per_block);
      asc_brcb_sync(d + 512, s, 1, 8, 1);
      waited = read(d + 512, 8 * per_block);
    });
    EXPECT_EQ(status.report, "");
    std::vector<T> want;
    for (T v : from) want.insert(want.end(), per_block, v);
    expect_same(got, want, "asc_brcb");
    want.resize(8 * per_block);
    expect_same(waited, want, "asc_brcb_sync");
  };
  each(uint16_t{});
  each(uint32_t{});
}

}  // namespace
