// Reductions against recursion over the elements that take part, each addition rounded by definition.
#include <cmath>
#include <optional>
#include <random>

#include "support/exact.h"
#include "support/kernel.h"
#include "support/recorder.h"

namespace {

using namespace toprope::test;
using AscendC::LocalTensor;
using AscendC::ReduceOrder;
using AscendC::ReduceType;

constexpr float kInf = HUGE_VALF;
const float kNaN = std::nanf("");

long double number(half v) { return half_number(v.bits()); }
long double number(float v) { return v; }

template <class T>
T element(long double v, bool saturate) {
  if constexpr (std::is_same_v<T, half>) {
    if (saturate && std::isnan(v)) v = 0;
    if (saturate && std::isinf(v)) v = copysignl(65504, v);
    return half::from_bits(half_bits_of(v));
  } else {
    return static_cast<float>(v);
  }
}

template <class T>
T add(T a, T b, bool saturate) {
  if constexpr (std::is_same_v<T, half>)
    return element<T>(to_half(number(a) + number(b)), saturate);
  else
    return static_cast<float>(static_cast<double>(a) + static_cast<double>(b));
}

/// The documented order of Max and Min: NaN first of all, +0 above -0.
template <class T>
bool better(ReduceType type, T a, T b) {
  const long double x = number(a), y = number(b);
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
  if (x == 0 && y == 0)
    return type == ReduceType::MAX ? std::signbit(y) && !std::signbit(x)
                                   : std::signbit(x) && !std::signbit(y);
  return type == ReduceType::MAX ? x > y : x < y;
}

template <class T>
using Lane = std::optional<T>;  // empty: does not take part

template <class T>
Lane<T> tree(const Lane<T>* lanes, size_t n, bool saturate) {
  if (n == 1) return lanes[0];
  const Lane<T> a = tree(lanes, n / 2, saturate), b = tree(lanes + n / 2, n / 2, saturate);
  if (!a || !b) return a ? a : b;
  return add(*a, *b, saturate);
}

/// A tree over any number of values: rows of `full`, then the rows' results, until one is left.
template <class T>
T tree_of_trees(std::vector<Lane<T>> values, size_t full, bool saturate) {
  while (values.size() > 1) {
    values.resize((values.size() + full - 1) / full * full);
    std::vector<Lane<T>> next;
    for (size_t i = 0; i < values.size(); i += full) next.push_back(tree(&values[i], full, saturate));
    values = next;
  }
  return *values[0];
}

template <class T>
std::optional<size_t> extreme(ReduceType type, const Lane<T>* lanes, size_t n) {
  std::optional<size_t> best;
  for (size_t i = 0; i < n; ++i)
    if (lanes[i] && (!best || better(type, *lanes[i], *lanes[*best]))) best = i;
  return best;
}

template <class T>
std::vector<T> samples(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-100, 100);
  std::vector<T> v(n);
  const float edge[] = {0.0f, -0.0f, 6e-8f, 1e-4f, 40000, -40000, 65504, 3e-40f};
  for (auto& x : v) x = T(random() % 8 ? uniform(random) : edge[random() % 8]);
  return v;
}

template <class T>
T with_bits(uint64_t bits) {
  T v;
  std::memcpy(static_cast<void*>(&v), &bits, sizeof v);
  return v;
}

class ReduceTest : public BothTargets {
 protected:
  /// ReduceRepeat, ReduceDataBlock and ReducePairElem with random masks, strides and modes.
  template <class T>
  void check_forms(uint32_t seed) {
    constexpr uint32_t full = 256 / sizeof(T), block = 32 / sizeof(T);
    std::mt19937 random(seed);
    for (int round = 0; round < 150; ++round) {
      const bool saturate = random() % 3 == 0, counter = random() % 4 == 0, external = random() % 4 == 0;
      const bool by_bits = !counter && random() % 2;
      uint32_t repeats = random() % 6 + (random() % 8 == 0 ? 40 : 0);
      const uint64_t sparse = random() % 2 ? ~uint64_t{0} : 0x8001000000f00001;
      uint64_t mask[2] = {(random() * 0x100000001ull) & sparse, random() * 0x9e3779b97f4a7c15ull};
      int32_t lanes = random() % 3 ? full : random() % (full + 1);
      if (counter) lanes = random() % 500;
      const int32_t src_blk = random() % 4 ? 1 : random() % 3, src_rep = random() % 2 ? 8 : random() % 12;
      const int32_t dst_rep = 1 + random() % 2;
      const auto from = samples<T>(16384, random() % 5);
      const int kind = random() % 3;
      const auto type = kind == 2 ? ReduceType::SUM : static_cast<ReduceType>(random() % 3);
      const auto order = static_cast<ReduceOrder>(random() % 4);
      const uint32_t in_all = counter ? (lanes + full - 1) / full : repeats;
      std::vector<T> want(8192, T(-3)), got;
      T best_value = T(0), best_index = T(0), spr_value = T(0), spr_index = T(0);
      std::vector<Lane<T>> all;
      for (uint32_t r = 0; r < in_all; ++r) {
        std::vector<Lane<T>> row(full);
        for (uint32_t i = 0; i < full; ++i) {
          const bool on = counter   ? r * full + i < uint32_t(lanes)
                          : by_bits ? mask[i / 64] >> (i % 64) & 1
                                    : i < uint32_t(lanes);
          if (on) row[i] = from[(r * src_rep + i / block * src_blk) * block + i % block];
        }
        const uint32_t width = kind == 0 ? full : kind == 1 ? block : 2;
        for (uint32_t g = 0; g < full / width; ++g) {
          const Lane<T>* group = &row[g * width];
          const auto place = extreme(type, group, width);
          if (!place) continue;
          const T value = type == ReduceType::SUM ? *tree(group, width, saturate)
                                                  : element<T>(number(*group[*place]), saturate);
          if (kind != 0) {
            want[r * dst_rep * (full / width) + g] = value;
            continue;
          }
          all.resize(r + 1);
          all[r] = value;
          const T index = with_bits<T>(*place);
          if (type == ReduceType::SUM || order == ReduceOrder::ORDER_ONLY_VALUE)
            want[r * dst_rep] = value;
          else if (order == ReduceOrder::ORDER_ONLY_INDEX) {
            const auto wide = static_cast<uint32_t>(*place);
            std::memcpy(static_cast<void*>(reinterpret_cast<uint8_t*>(want.data()) + r * dst_rep * 4), &wide,
                        4);
          } else {
            want[r * dst_rep * 2] = order == ReduceOrder::ORDER_VALUE_INDEX ? value : index;
            want[r * dst_rep * 2 + 1] = order == ReduceOrder::ORDER_VALUE_INDEX ? index : value;
          }
          const auto over = extreme(type, all.data(), all.size());
          if (*over == r) best_value = value, best_index = with_bits<T>(r * full + *place);
        }
      }
      auto call = [&](auto set_mask, auto m) {
        constexpr bool set = decltype(set_mask)::value;
        auto d = tensor<T>(0, std::vector<T>(8192, T(-3)));
        auto s = tensor<T>(98304, from);
        const int32_t times = static_cast<int32_t>(repeats);
        auto run = [&](auto t) {
          constexpr ReduceType op = decltype(t)::value;
          if (kind == 0)
            AscendC::ReduceRepeat<op, T, T, set>(d, s, m, times, dst_rep, src_blk, src_rep, order);
          else
            AscendC::ReduceDataBlock<op, T, T, set>(d, s, m, times, dst_rep, src_blk, src_rep);
        };
        if (kind == 2)
          AscendC::ReducePairElem<ReduceType::SUM, T, T, set>(d, s, m, times, dst_rep, src_blk, src_rep);
        else if (type == ReduceType::SUM)
          run(std::integral_constant<ReduceType, ReduceType::SUM>());
        else if (type == ReduceType::MAX)
          run(std::integral_constant<ReduceType, ReduceType::MAX>());
        else
          run(std::integral_constant<ReduceType, ReduceType::MIN>());
        AscendC::GetReduceRepeatMaxMinSpr<T>(spr_value, spr_index);
        got = values(d);
      };
      const auto status = run_kernel([&] {
        auto& core = toprope::core();
        core.saturate = saturate;
        core.mask.counter = counter;
        if (external) {
          if (counter)
            core.mask.bits[0] = static_cast<uint64_t>(lanes);
          else if (by_bits)
            core.mask.bits[0] = mask[0], core.mask.bits[1] = mask[1];
          else
            for (int w = 0; w < 2; ++w) {
              core.mask.bits[w] = 0;
              for (int i = 0; i < 64; ++i) core.mask.bits[w] |= uint64_t{w * 64 + i < lanes} << i;
            }
          call(std::false_type(), AscendC::MASK_PLACEHOLDER);
        } else if (by_bits) {
          call(std::true_type(), static_cast<const uint64_t*>(mask));
        } else {
          call(std::true_type(), lanes);
        }
      });
      ASSERT_EQ(status.report, "");
      const std::string what = "round " + std::to_string(round) + " kind " + std::to_string(kind) + " type " +
                               std::to_string(int(type)) + " order " + std::to_string(int(order));
      expect_same(got, want, what);
      if (kind == 0 && type != ReduceType::SUM && !all.empty()) {
        EXPECT_TRUE(same(spr_value, best_value)) << what;
        EXPECT_EQ(bits_of(spr_index), bits_of(best_index)) << what;
      }
      if (HasFailure()) return;
    }
  }

  template <class T>
  void check_sum() {
    constexpr uint32_t full = 256 / sizeof(T);
    const auto from = samples<T>(20000, 3);
    for (bool saturate : {false, true})
      for (uint32_t count : {0u, 1u, 2u, 15u, full - 1, full, full + 1, 3 * full, 1000u, 4096u, 20000u}) {
        Lane<T> total;
        for (uint32_t i = 0; i < count; i += full) {
          std::vector<Lane<T>> row(full);
          for (uint32_t k = 0; k < full && i + k < count; ++k) row[k] = from[i + k];
          const T sum = *tree(row.data(), full, saturate);
          total = total ? add(*total, sum, saturate) : sum;
        }
        std::vector<T> got;
        T spr = T(0);
        const auto status = run_kernel([&] {
          toprope::core().saturate = saturate;
          auto d = tensor<T>(0, std::vector<T>(16, T(-9)));
          auto s = tensor<T>(1024, from);
          AscendC::ReduceSum(d, s, s, static_cast<int32_t>(count));
          spr = AscendC::GetReduceRepeatSumSpr<T>();
          got = values(d);
        });
        ASSERT_EQ(status.report, "");
        EXPECT_TRUE(same(got[0], total ? *total : T(-9))) << count << ": " << float(got[0]);
        EXPECT_TRUE(!total || same(spr, *total)) << count;
        for (int i = 1; i < 16; ++i) EXPECT_EQ(float(got[i]), -9);
      }
  }

  template <class T>
  void check_sum_of_repeats() {
    constexpr uint32_t full = 256 / sizeof(T), block = 32 / sizeof(T);
    const auto from = samples<T>(32768 / sizeof(T) * 2, 8);
    std::mt19937 random(8);
    for (int32_t repeats : {0, 1, 2, 3, 7, 65, 129, 200}) {
      const bool by_bits = random() % 2;
      const uint64_t mask[2] = {0xf0f1, 0x80000000};
      const int32_t lanes = random() % 2 ? full : 1 + random() % full,
                    stride = repeats > 100 ? 8 / int(sizeof(T)) : 8;
      std::vector<Lane<T>> sums;
      for (int32_t r = 0; r < repeats; ++r) {
        std::vector<Lane<T>> row(full);
        for (uint32_t i = 0; i < full; ++i)
          if (by_bits ? mask[i / 64] >> (i % 64) & 1 : i < uint32_t(lanes))
            row[i] = from[r * stride * block + i];
        sums.push_back(tree(row.data(), full, false));
      }
      std::vector<T> got;
      const auto status = run_kernel([&] {
        auto d = tensor<T>(0, std::vector<T>(16, T(-9)));
        auto s = tensor<T>(4096, from),
             work = tensor<T>(1024, std::vector<T>((repeats + block - 1) / block * block));
        if (by_bits)
          AscendC::ReduceSum(d, s, work, static_cast<const uint64_t*>(mask), repeats, stride);
        else
          AscendC::ReduceSum(d, s, work, lanes, repeats, stride);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      EXPECT_TRUE(same(got[0], repeats ? tree_of_trees(sums, full, false) : T(-9)))
          << repeats << ": " << float(got[0]);
      EXPECT_EQ(float(got[1]), -9);
    }
  }

  template <class T>
  void check_extreme() {
    constexpr uint32_t full = 256 / sizeof(T);
    std::mt19937 random(12);
    for (uint32_t count : {1u, 7u, full, full + 3, 1000u, 5000u}) {
      std::vector<T> from(5000);
      for (auto& x : from) x = T(static_cast<int>(random() % 9) - 4);
      if (count == 1000) from[777] = T(kNaN), from[900] = T(kNaN);
      if (count == 7) from = std::vector<T>(5000, T(-0.0f)), from[3] = T(0.0f);
      for (ReduceType type : {ReduceType::MAX, ReduceType::MIN})
        for (bool index : {false, true}) {
          size_t best = 0;
          for (size_t i = 1; i < count; ++i)
            if (better(type, from[i], from[best])) best = i;
          std::vector<T> got;
          const auto status = run_kernel([&] {
            auto d = tensor<T>(0, std::vector<T>(16, T(-9)));
            auto s = tensor<T>(8192, from), work = tensor<T>(2048, std::vector<T>(512));
            if (type == ReduceType::MAX)
              AscendC::ReduceMax(d, s, work, static_cast<int32_t>(count), index);
            else
              AscendC::ReduceMin(d, s, work, static_cast<int32_t>(count), index);
            got = values(d);
          });
          ASSERT_EQ(status.report, "");
          EXPECT_TRUE(same(got[0], from[best])) << count << " " << float(got[0]);
          EXPECT_EQ(bits_of(got[1]), index ? best : bits_of(T(-9))) << count << " " << int(type);
        }
    }
  }
};

TEST_P(ReduceTest, RepeatsBlocksAndPairs) {
  check_forms<half>(21);
  check_forms<float>(22);
}

TEST_P(ReduceTest, SumsOfConsecutiveElements) {
  check_sum<half>();
  check_sum<float>();
}

TEST_P(ReduceTest, SumsOfRepeats) {
  check_sum_of_repeats<half>();
  check_sum_of_repeats<float>();
}

TEST_P(ReduceTest, ExtremesOfConsecutiveElements) {
  check_extreme<half>();
  check_extreme<float>();
}

TEST_P(ReduceTest, OlderNamesAgree) {
  const auto from = samples<float>(256, 4);
  std::vector<float> got[2];
  run_kernel([&] {
    auto s = tensor<float>(4096, from);
    const uint64_t mask[2] = {0xff00ff00ff00ff0f, 0};
    auto a = tensor<float>(0, std::vector<float>(512, -1)),
         b = tensor<float>(2048, std::vector<float>(512, -1));
    AscendC::ReduceDataBlock<ReduceType::SUM>(a, s, mask, 4, 1, 1, 8);
    AscendC::ReduceRepeat<ReduceType::SUM>(a[64], s, 50, 4, 2, 1, 8);
    AscendC::ReducePairElem<ReduceType::SUM>(a[128], s, 64, 4, 1, 1, 8);
    AscendC::ReduceRepeat<ReduceType::MIN>(a[320], s, mask, 4, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
    AscendC::BlockReduceSum(b, s, 4, mask, 1, 1, 8);
    AscendC::RepeatReduceSum(b[64], s, 4, 50, 0, 1, 2, 8);
    AscendC::PairReduceSum(b[128], s, 4, 64, 1, 1, 8);
    AscendC::WholeReduceMin(b[320], s, mask, 4, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
    got[0] = values(a), got[1] = values(b);
  });
  EXPECT_EQ(got[0], got[1]);
  EXPECT_NE(got[0][64], -1);
}

TEST_P(ReduceTest, ReducesInPlace) {
  auto from = samples<float>(640, 2);
  std::vector<float> got;
  run_kernel([&] {
    auto s = tensor<float>(0, from);
    AscendC::WholeReduceSum(s, s, 64, 10, 1, 1, 8);
    got = values(s);
  });
  for (int r = 0; r < 10; ++r) {
    std::vector<Lane<float>> row(from.begin() + r * 64, from.begin() + r * 64 + 64);
    EXPECT_EQ(got[r], *tree(row.data(), 64, false)) << r;
  }
}

TEST_P(ReduceTest, RefusesWhatThePagesExclude) {
  auto report = [](auto body) { return run_kernel(body).report; };
  auto is = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  auto t = [](int n = 512) { return tensor<half>(4096, std::vector<half>(n)); };
  is(report([&] {
       AscendC::ReduceRepeat<ReduceType::MAX>(tensor<half>(0, std::vector<half>(16))[1], t(), 128, 1, 1, 1,
                                              8);
     }),
     "ReduceRepeat<MAX>: dst starts at byte 2 of UB, which is not 4-byte aligned");
  is(report([&] {
       AscendC::ReduceDataBlock<ReduceType::SUM>(tensor<half>(0, std::vector<half>(16))[4], t(), 128, 1, 1, 1,
                                                 8);
     }),
     "ReduceDataBlock<SUM>: dst starts at byte 8 of UB, which is not 16-byte aligned");
  is(report([&] {
       AscendC::ReduceRepeat<ReduceType::SUM>(tensor<half>(0, std::vector<half>(16)), t(), 128, 256, 1, 1, 8);
     }),
     "repeatTime is 256");
  is(report([&] {
       AscendC::ReduceRepeat<ReduceType::SUM>(tensor<half>(0, std::vector<half>(2)), t(), 128, 4, 1, 1, 8);
     }),
     "ReduceRepeat<SUM>: dst ends 4 bytes past its tensor");
  is(report([&] {
       AscendC::ReduceMax(tensor<half>(0, std::vector<half>(16)), t(),
                          tensor<half>(64, std::vector<half>(16)), 512, true);
     }),
     "ReduceMax: sharedTmpBuffer has 32 of the 64 bytes");
  is(report([&] { AscendC::ReduceSum(tensor<half>(0, std::vector<half>(16)), t(), t(), 513); }),
     "ReduceSum: src ends 2 bytes past its tensor");
}

TEST_P(ReduceTest, SaysWhatItTouches) {
  Recorder recorder;
  auto t = [] { return tensor<half>(4096, std::vector<half>(2048)); };
  auto d = [] { return tensor<half>(0, std::vector<half>(1024)); };
  run_kernel([&] { AscendC::ReduceRepeat<ReduceType::MAX>(d(), t(), 100, 3, 2, 1, 8); });
  EXPECT_EQ(bytes_of(recorder.operands["dst"]),
            (std::set<uint64_t>{0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19}));
  EXPECT_EQ(bytes_of(recorder.operands["src"]).size(), 600u);
  const uint64_t mask[2] = {0xffff, 1};  // DataBlocks 0 and 4
  run_kernel([&] { AscendC::ReduceDataBlock<ReduceType::SUM>(d(), t(), mask, 2, 1, 1, 8); });
  EXPECT_EQ(bytes_of(recorder.operands["dst"]), (std::set<uint64_t>{0, 1, 8, 9, 16, 17, 24, 25}));
  EXPECT_EQ(bytes_of(recorder.operands["src"]).size(), 2u * 17 * 2);
  run_kernel([&] {
    toprope::core().mask.counter = true;
    AscendC::ReducePairElem<ReduceType::SUM>(d(), t(), 131, 1, 1, 1, 8);
  });
  EXPECT_EQ(bytes_of(recorder.operands["dst"]).size(), 128u + 4);
  EXPECT_EQ(bytes_of(recorder.operands["src"]).size(), 262u);
  run_kernel([&] { AscendC::ReduceMax(d(), t(), tensor<half>(16384, std::vector<half>(64)), 512, true); });
  EXPECT_EQ(recorder.name, "ReduceMax");
  EXPECT_EQ(bytes_of(recorder.operands["dst"]).size(), 4u);
  EXPECT_EQ(bytes_of(recorder.operands["sharedTmpBuffer"]).size(), 64u);
}

INSTANTIATE_TEST_SUITE_P(Simd, ReduceTest, ::testing::Bool(), target_of);

}  // namespace
