// Sort32, MrgSort and GetMrgSortResult (facts A18).
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

/// A record in 8 bytes, as the page draws it.
template <class T>
uint64_t record(T score, uint32_t index) {
  return bits_of(score) | uint64_t{index} << 32;
}
template <class T>
T score_of(uint64_t record) {
  T score;
  std::memcpy(static_cast<void*>(&score), &record, sizeof score);
  return score;
}

/// Before: the larger score, and a NaN before all numbers, as torch.sort has it.
template <class T>
bool before(uint64_t a, uint64_t b) {
  const float x = static_cast<float>(score_of<T>(a)), y = static_cast<float>(score_of<T>(b));
  if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && !std::isnan(y);
  return x > y;
}

template <class T>
std::vector<uint64_t> records(const LocalTensor<T>& t, size_t n) {
  std::vector<uint64_t> all(n);
  std::memcpy(all.data(), t.GetPhyAddr(), n * 8);
  return all;
}

template <class T>
LocalTensor<T> tensor_of(uint32_t at, const std::vector<uint64_t>& all) {
  std::vector<T> elements(std::max<size_t>(all.size(), 4) * 8 / sizeof(T));
  if (!all.empty()) std::memcpy(static_cast<void*>(elements.data()), all.data(), all.size() * 8);
  return tensor<T>(at, elements);
}

class SortTest : public BothTargets {
 protected:
  template <class T>
  void groups() {
    std::mt19937 random(11);
    const int repeats = 5;
    std::vector<T> scores(repeats * 32);
    std::vector<uint32_t> indices(scores.size());
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] = static_cast<T>(static_cast<float>(static_cast<int>(random() % 11) - 5) / 2);  // many ties
      indices[i] = 1000 + static_cast<uint32_t>(random() % 1000000);
    }
    const float special[] = {-0.0f, 0.0f, INFINITY, -INFINITY, NAN, -NAN};
    for (size_t i = 0; i < std::size(special); ++i) scores[64 + 5 * i] = static_cast<T>(special[i]);
    std::vector<uint64_t> want, got;
    for (size_t i = 0; i < scores.size(); ++i) want.push_back(record(scores[i], indices[i]));
    for (int r = 0; r < repeats; ++r)
      std::stable_sort(want.begin() + r * 32, want.begin() + r * 32 + 32, before<T>);
    const auto status = run_kernel([&] {
      auto d = tensor<T>(0, std::vector<T>(repeats * 256 / sizeof(T)));
      Sort32(d, tensor<T>(8192, scores), tensor<uint32_t>(16384, indices), repeats);
      got = records(d, scores.size());
    });
    ASSERT_EQ(status.report, "");
    EXPECT_EQ(got, want);
  }

  template <class T>
  std::vector<uint64_t> sorted_run(size_t n, int seed) {
    std::mt19937 random(static_cast<uint32_t>(seed));
    std::vector<uint64_t> run(n);
    for (size_t i = 0; i < n; ++i)
      run[i] = record(static_cast<T>(static_cast<float>(random() % 50)),
                      static_cast<uint32_t>(seed * 10000 + static_cast<int>(i)));
    std::stable_sort(run.begin(), run.end(), before<T>);
    return run;
  }

  template <class T>
  void merges(std::vector<size_t> lengths) {
    std::vector<std::vector<uint64_t>> runs;
    std::vector<uint64_t> want;
    for (size_t i = 0; i < lengths.size(); ++i) {
      runs.push_back(sorted_run<T>(lengths[i], static_cast<int>(i)));
      want.insert(want.end(), runs[i].begin(), runs[i].end());
    }
    std::stable_sort(want.begin(), want.end(), before<T>);
    uint16_t taken[4] = {9, 9, 9, 9};
    std::vector<uint64_t> got;
    const auto status = run_kernel([&] {
      auto d = tensor<T>(0, std::vector<T>(want.size() * 8 / sizeof(T) + 16));
      MrgSortSrcList<T> list;
      LocalTensor<T>* slots[] = {&list.src1, &list.src2, &list.src3, &list.src4};
      MrgSort4Info info;
      for (size_t i = 0; i < runs.size(); ++i) {
        *slots[i] = tensor_of<T>(static_cast<uint32_t>(32768 * (i + 1)), runs[i]);
        info.elementLengths[i] = static_cast<uint16_t>(lengths[i]);
      }
      info.validBit = static_cast<uint16_t>((1 << runs.size()) - 1);
      MrgSort(d, list, info);
      GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
      got = records(d, want.size());
    });
    ASSERT_EQ(status.report, "");
    EXPECT_EQ(got, want);
    for (size_t i = 0; i < 4; ++i) EXPECT_EQ(taken[i], i < lengths.size() ? lengths[i] : 0) << i;
  }
};

TEST_P(SortTest, GroupsOf32) {
  groups<float>();
  groups<half>();
  std::vector<float> got;
  const auto none = run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(64, 7));
    Sort32(d, tensor<float>(8192, std::vector<float>(32)), tensor<uint32_t>(16384, std::vector<uint32_t>(32)),
           0);
    got = values(d);
  });
  ASSERT_EQ(none.report, "");
  expect_same(got, std::vector<float>(64, 7), "no repeats");
}

TEST_P(SortTest, EveryScoreOfHalf) {  // all 65,536, 32 at a time, against the order of their float values
  std::vector<half> scores(65536);
  for (size_t i = 0; i < scores.size(); ++i)
    scores[i] = half::from_bits(static_cast<uint16_t>(i * 40503));  // an odd factor: each once, mixed
  std::vector<uint32_t> indices(scores.size());
  for (uint32_t i = 0; i < indices.size(); ++i) indices[i] = i;
  for (size_t first = 0; first < scores.size(); first += 4096) {
    std::vector<uint64_t> want, got;
    const std::vector<half> part(scores.begin() + first, scores.begin() + first + 4096);
    const std::vector<uint32_t> numbers(indices.begin() + first, indices.begin() + first + 4096);
    for (size_t i = 0; i < part.size(); ++i) want.push_back(record(part[i], numbers[i]));
    for (size_t r = 0; r < 128; ++r)
      std::stable_sort(want.begin() + r * 32, want.begin() + r * 32 + 32, before<half>);
    const auto status = run_kernel([&] {
      auto d = tensor<half>(0, std::vector<half>(4096 * 4));
      Sort32(d, tensor<half>(65536, part), tensor<uint32_t>(131072, numbers), 128);
      got = records(d, want.size());
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(got, want) << "from score " << first;
  }
}

TEST_P(SortTest, Merging) {
  merges<float>({32, 32, 32, 32});
  merges<half>({32, 64, 5, 1});
  merges<float>({100, 3, 50});
  merges<half>({40, 0});
}

TEST_P(SortTest, RepeatsOfFourRuns) {  // 8 runs of 32, two results of 128, as the page does
  std::vector<uint64_t> all, want, got;
  for (int i = 0; i < 8; ++i) {
    const auto run = sorted_run<float>(32, i);
    all.insert(all.end(), run.begin(), run.end());
  }
  want = all;
  for (int r = 0; r < 2; ++r)
    std::stable_sort(want.begin() + r * 128, want.begin() + r * 128 + 128, before<float>);
  const auto status = run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(512));
    auto w = tensor_of<float>(8192, all);
    MrgSort4Info info;
    for (uint16_t& n : info.elementLengths) n = 32;
    info.validBit = 0b1111;
    info.repeatTimes = 2;
    MrgSort<float>(d, MrgSortSrcList<float>(w[0], w[64], w[128], w[192]), info);
    got = records(d, 256);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(got, want);
}

TEST_P(SortTest, StopsWhenARunIsUsedUp) {
  const std::vector<uint64_t> a = {record(9.0f, 1), record(7.0f, 2), record(1.0f, 3), record(0.0f, 4)},
                              b = {record(8.0f, 5), record(7.0f, 6), record(6.0f, 7), record(5.0f, 8)};
  std::vector<uint64_t> got;
  uint16_t taken[4];
  const auto status = run_kernel([&] {
    auto d = tensor<float>(0, std::vector<float>(64, -1));
    MrgSortSrcList<float> list(tensor_of<float>(1024, a), tensor_of<float>(2048, b), LocalTensor<float>(),
                               LocalTensor<float>());
    const uint16_t lengths[4] = {4, 4, 0, 0};
    MrgSort(d, list, MrgSort4Info(lengths, true, 3, 1));
    GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    got = records(d, 7);
  });
  ASSERT_EQ(status.report, "");
  const std::vector<uint64_t> want = {a[0], b[0], a[1], b[1], b[2], b[3]};
  EXPECT_EQ(std::vector<uint64_t>(got.begin(), got.begin() + 6), want);  // 7.0 of the lower run first
  EXPECT_EQ(got[6], record(-1.0f, bits_of(-1.0f)));                      // not written
  EXPECT_EQ((std::vector<uint16_t>{taken[0], taken[1], taken[2], taken[3]}),
            (std::vector<uint16_t>{2, 4, 0, 0}));
}

TEST_P(SortTest, Refusals) {
  const auto merge = [](uint32_t at, uint16_t valid, uint16_t length) {
    return run_kernel([&] {
             auto w = tensor<float>(1024, std::vector<float>(256));
             MrgSort4Info info;
             for (uint16_t& n : info.elementLengths) n = length;
             info.validBit = valid;
             MrgSort<float>(tensor<float>(at, std::vector<float>(256)), {w[0], w[64], w[128], w[192]}, info);
           })
        .report;
  };
  EXPECT_EQ(merge(0, 15, 32), "");
  EXPECT_NE(merge(0, 5, 32).find("validBit is 5; it takes 3, 7 and 15"), std::string::npos);
  EXPECT_NE(merge(0, 15, 33).find("MrgSort: dst ends 32 bytes past its tensor"), std::string::npos);
  EXPECT_NE(merge(0, 15, 5000).find("elementLengths is 5000; it takes 0 to 4095"), std::string::npos);
  const std::string overlap = merge(1024 + 512, 15, 32);
  EXPECT_NE(overlap.find("MrgSort: dst and src3 share bytes of UB"), std::string::npos) << overlap;
  const auto many = run_kernel([] {
    Sort32(tensor<float>(0, std::vector<float>(64)), tensor<float>(1024, std::vector<float>(32)),
           tensor<uint32_t>(2048, std::vector<uint32_t>(32)), 256);
  });
  EXPECT_NE(many.report.find("repeatTime is 256; it takes 0 to 255"), std::string::npos) << many.report;
}

INSTANTIATE_TEST_SUITE_P(Simd, SortTest, ::testing::Bool(), target_of);

}  // namespace
