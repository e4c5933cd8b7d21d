// The C API's comparisons, asc_select and the reductions.
#include "support/c_api.h"
#include "support/samples.h"

namespace {

using namespace toprope::test;

bool bit(const std::vector<uint8_t>& bytes, size_t i) { return bytes[i / 8] >> (i % 8) & 1; }

constexpr Stride kS0{2, 17}, kS1{1, 9};

/// Two repeats into dst, one under the mask into the register, and against a scalar.
template <class T, class F, class G, class Want>
void comparison(F f, G scalar, Want want) {
  constexpr uint32_t lanes = 256 / sizeof(T);
  const auto a = whole_numbers<T>(7), b = whole_numbers<T>(13);
  std::vector<uint8_t> into, waited, in_register(16), register_waited(16), against, against_waited;
  const auto status = run_kernel([&] {
    uint8_t* d = ub<uint8_t>(kDst);
    T *s0 = ub(kSrc[0], a), *s1 = ub(kSrc[1], b);
    f.call(d, s0, s1, 2, 1, 2, 1, 8, 17, 9);
    into = read(d, 2 * lanes / 8);
    f.sync(d + 256, s0, s1, 1, 1, 1, 1, 8, 8, 8);
    waited = read(d + 256, lanes / 8);
    scalar.call(d, s0, 3, 2, 1, 2, 8, 17);
    against = read(d, 2 * lanes / 8);
    scalar.sync(d + 256, s0, 3, 1, 1, 1, 8, 8);
    against_waited = read(d + 256, lanes / 8);
    if constexpr (!std::is_integral_v<T>) {
      ub(512, std::vector<uint8_t>(16, 0));
      asc_set_cmp_mask(ub<uint8_t>(512));
      asc_set_vector_mask(kMask[1], kMask[0]);
      f.call(s0, s1, 1, 1, 2, 1, 8, 17, 9);
      asc_get_cmp_mask(d);
      in_register = read(d, 16);
      f.sync(s0, s1, 1, 1, 2, 1, 8, 17, 9);
      asc_get_cmp_mask(d);
      register_waited = read(d, 16);
    }
  });
  ASSERT_EQ(status.report, "") << f.text;
  for (uint32_t i = 0; i < 2 * lanes; ++i) {
    const T x = a[place<T>(kS0, i / lanes, i % lanes)], y = b[place<T>(kS1, i / lanes, i % lanes)];
    ASSERT_EQ(bit(into, i), want(x, y)) << f.text << " " << i;
    ASSERT_EQ(bit(against, i), want(x, T(3))) << scalar.text << " " << i;
    if (i >= lanes) continue;
    ASSERT_EQ(bit(waited, i), want(a[i], b[i])) << f.text << "_sync " << i;
    ASSERT_EQ(bit(against_waited, i), want(a[i], T(3))) << scalar.text << "_sync " << i;
    if (std::is_integral_v<T>) continue;
    ASSERT_EQ(bit(in_register, i), in_mask(i) && want(x, y)) << f.text << " into the register " << i;
    ASSERT_EQ(bit(register_waited, i), in_mask(i) && want(x, y)) << f.text << "_sync into the register " << i;
  }
}

// C_API(name) with name##_sync is asc_eq_sync, and asc_eq_scalar's asc_eq_scalar_sync.
#define COMPARISON(name, symbol)                                                                  \
  comparison<half>(C_API(name), C_API(name##_scalar), [](half x, half y) { return x symbol y; }); \
  comparison<float>(C_API(name), C_API(name##_scalar), [](float x, float y) { return x symbol y; })

TEST(CApiCompare, EveryComparison) {
  const auto equal32 = toprope::test::Function{"asc_eq",
                                               [](auto... p) {
                                                 if constexpr (sizeof...(p) == 10) asc_eq(p...);
                                               },
                                               [](auto... p) {
                                                 if constexpr (sizeof...(p) == 10) asc_eq_sync(p...);
                                               }};
  COMPARISON(asc_eq, ==);
  COMPARISON(asc_ne, !=);
  COMPARISON(asc_lt, <);
  COMPARISON(asc_gt, >);
  COMPARISON(asc_le, <=);
  COMPARISON(asc_ge, >=);
  comparison<int32_t>(equal32, C_API(asc_eq_scalar), [](int32_t x, int32_t y) { return x == y; });
}

TEST(CApiCompare, TheRegisterKeepsWhatTakesNoPart) {  // the note of the page asc_eq; its dst has 16 bytes
  std::vector<uint8_t> got;
  const auto status = run_kernel([&] {
    half* s = ub(kSrc[0], whole_numbers<half>(7));
    ub(512, std::vector<uint8_t>(16, 0xff));
    asc_set_cmp_mask(ub<uint8_t>(512));
    asc_set_vector_mask(0, 0xff);
    asc_ne(s, s, 1, 1, 1, 1, 8, 8, 8);
    toprope::LocalArray<toprope::Mem::UB, uint8_t[16]> dst;
    asc_get_cmp_mask(dst.object);
    got = read(dst.object, 16);
  });
  ASSERT_EQ(status.report, "");
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(got[i], i == 0 ? 0 : 0xff) << i;
}

TEST(CApiCompare, SelectByTheRegister) {
  const auto each = [](auto t) {
    using T = decltype(t);
    constexpr uint32_t lanes = 256 / sizeof(T);
    std::vector<uint8_t> bits(16);
    for (uint32_t i = 0; i < 16; ++i) bits[i] = static_cast<uint8_t>(i * 29 + 3);
    const auto select = toprope::test::Function{"asc_select",
                                                [&](auto... p) {
                                                  ub(512 * 1024 / 4, bits);
                                                  asc_set_cmp_mask(ub<uint8_t>(512 * 1024 / 4));
                                                  asc_select(p...);
                                                },
                                                [&](auto... p) {
                                                  ub(512 * 1024 / 4, bits);
                                                  asc_set_cmp_mask(ub<uint8_t>(512 * 1024 / 4));
                                                  asc_select_sync(p...);
                                                }};
    // Sources carry their lane, so that the reference knows which bit an element has.
    const auto a = values_of<T>([&](uint32_t i) { return static_cast<float>(i); });
    std::vector<T> first, waited, repeated;
    const auto before = whole_numbers<T>(5);
    const auto b = values_of<T>([&](uint32_t i) { return -1.0f - static_cast<float>(i); });
    const auto status = run_kernel([&] {
      T *d = ub(kDst, before), *s0 = ub(kSrc[0], a), *s1 = ub(kSrc[1], b);
      select.call(d, s0, s1, 200);
      first = read(d, kElements);
      select.sync(d, s0, s1, 201);
      waited = read(d, kElements);
      ub(kDst, before);
      asc_set_vector_mask(kMask[1], kMask[0]);
      select.call(d, s0, s1, 2, 1, 2, 1, 10, 17, 9);
      repeated = read(d, kElements);
    });
    ASSERT_EQ(status.report, "");
    for (uint32_t i = 0; i < 201; ++i) {
      const T want = bit(bits, i % lanes) ? a[i] : b[i];
      ASSERT_EQ(first[i], i < 200 ? want : before[i]) << i;
      ASSERT_EQ(waited[i], want) << i;
    }
    std::vector<T> want = before;
    for (uint32_t r = 0; r < 2; ++r)
      for (uint32_t lane = 0; lane < lanes; ++lane)
        if (in_mask(lane))
          want[place<T>({1, 10}, r, lane)] =
              bit(bits, lane) ? a[place<T>(kS0, r, lane)] : b[place<T>(kS1, r, lane)];
    expect_same(repeated, want, "asc_select of repeats");
  };
  each(half{});
  each(float{});
}

/// `width` neighbours give a result; whole numbers add up exactly in any order.
template <class T, class F, class Join>
void groups(F f, uint32_t width, Join join) {
  constexpr uint32_t lanes = 256 / sizeof(T);
  const uint32_t results = lanes / width;
  const auto in = whole_numbers<T>(7), before = values_of<T>([](uint32_t) { return 99.0f; });
  std::vector<T> first, waited, repeated;
  const auto status = run_kernel([&] {
    T *d = ub(kDst, before), *s = ub(kSrc[0], in);
    f.call(d, s, lanes + width);
    first = read(d, kElements);
    ub(kDst, before);
    f.sync(d, s, lanes);
    waited = read(d, kElements);
    ub(kDst, before);
    asc_set_vector_mask(~uint64_t{0}, ~uint64_t{0});
    f.call(d, s, 2, 2, 2, 17);  // results of the second repeat two units on
    repeated = read(d, kElements);
  });
  ASSERT_EQ(status.report, "") << f.text;
  const auto joined = [&](auto at) {
    T v = in[at(0)];
    for (uint32_t i = 1; i < width; ++i) v = join(v, in[at(i)]);
    return v;
  };
  for (uint32_t g = 0; g < results + 2; ++g) {
    const T want = joined([&](uint32_t i) { return g * width + i; });
    ASSERT_EQ(first[g], g <= results ? want : T(99)) << f.text << " " << g;
    ASSERT_EQ(waited[g], g < results ? want : T(99)) << f.text << "_sync " << g;
  }
  for (uint32_t r = 0; r < 2; ++r)
    for (uint32_t g = 0; g < results; ++g)
      ASSERT_EQ(repeated[r * 2 * results + g],
                joined([&](uint32_t i) { return place<T>(kS0, r, g * width + i); }))
          << f.text << " of repeats " << r << " " << g;
}

template <class T>
void every_group() {
  const auto sum = [](T a, T b) { return static_cast<T>(a + b); };
  groups<T>(C_API(asc_pair_reduce_sum), 2, sum);
  groups<T>(C_API(asc_datablock_reduce_sum), 32 / sizeof(T), sum);
  groups<T>(C_API(asc_datablock_reduce_max), 32 / sizeof(T), [](T a, T b) { return a > b ? a : b; });
  groups<T>(C_API(asc_datablock_reduce_min), 32 / sizeof(T), [](T a, T b) { return a < b ? a : b; });
  groups<T>(C_API(asc_repeat_reduce_sum), 256 / sizeof(T), sum);
}

TEST(CApiReduce, Groups) {
  every_group<half>();
  every_group<float>();
}

enum Order { kValueIndex, kIndexValue, kOnlyValue, kOnlyIndex };

/// Two repeats whose extremes and their places are known.
template <class T, class F>
void extreme(F f, Order order, bool largest) {
  constexpr uint32_t lanes = 256 / sizeof(T);
  const uint32_t places[2] = {lanes - 3, 5};
  auto in = whole_numbers<T>(7);
  for (uint32_t r = 0; r < 2; ++r)
    in[r * lanes + places[r]] = static_cast<T>((largest ? 100.0f : -100.0f) * (r + 1));
  std::vector<uint8_t> first, waited, repeated;
  T value{};
  uint32_t index = 0;
  const auto status = run_kernel([&] {
    T *d = ub<T>(kDst), *s = ub(kSrc[0], in);
    f.call(d, s, 2 * lanes);
    first = read(ub<uint8_t>(kDst), 64);
    f.sync(d, s, 2 * lanes);
    waited = read(ub<uint8_t>(kDst), 64);
    asc_set_vector_mask(~uint64_t{0}, ~uint64_t{0});
    f.call(d, s, 2, 3, 1, 8);
    repeated = read(ub<uint8_t>(kDst), 64);
    if (largest)
      asc_get_reduce_max_cnt(value, index);
    else
      asc_get_reduce_min_cnt(value, index);
  });
  ASSERT_EQ(status.report, "") << f.text;
  const size_t unit = order == kOnlyValue ? sizeof(T) : order == kOnlyIndex ? 4 : 2 * sizeof(T);
  const auto check = [&](const std::vector<uint8_t>& got, size_t step) {
    for (uint32_t r = 0; r < 2; ++r) {
      const uint8_t* at = got.data() + r * step * unit;
      const uint8_t* v = order == kIndexValue ? at + sizeof(T) : at;
      const uint8_t* i = order == kValueIndex ? at + sizeof(T) : at;
      if (order != kOnlyIndex) {
        EXPECT_EQ(std::memcmp(v, &in[r * lanes + places[r]], sizeof(T)), 0) << f.text << " " << r;
      }
      if (order != kOnlyValue) {
        uint32_t place = 0;
        std::memcpy(&place, i, order == kOnlyIndex ? 4 : sizeof(T));
        EXPECT_EQ(place, places[r]) << f.text << " " << r;
      }
    }
  };
  check(first, 1);
  check(waited, 1);
  check(repeated, 3);
  EXPECT_EQ(value, in[lanes + places[1]]);
  EXPECT_EQ(index, lanes + places[1]);
}

template <class T>
void every_extreme() {
  extreme<T>(C_API(asc_repeat_reduce_max_value_index), kValueIndex, true);
  extreme<T>(C_API(asc_repeat_reduce_max_index_value), kIndexValue, true);
  extreme<T>(C_API(asc_repeat_reduce_max_only_value), kOnlyValue, true);
  extreme<T>(C_API(asc_repeat_reduce_max_only_index), kOnlyIndex, true);
  extreme<T>(C_API(asc_repeat_reduce_min_value_index), kValueIndex, false);
  extreme<T>(C_API(asc_repeat_reduce_min_index_value), kIndexValue, false);
  extreme<T>(C_API(asc_repeat_reduce_min_only_value), kOnlyValue, false);
  extreme<T>(C_API(asc_repeat_reduce_min_only_index), kOnlyIndex, false);
}

TEST(CApiReduce, ExtremesOfRepeats) {
  every_extreme<half>();
  every_extreme<float>();
}

}  // namespace
