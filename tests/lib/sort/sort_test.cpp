// Concat, Sort, Extract, MrgSort and TopK against std::stable_sort.
#include <algorithm>
#include <numeric>

#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;

class Sorting : public BothTargets {};

/// Places of `scores` in descending order, equal ones as they came.
template <class T>
std::vector<uint32_t> descending(const std::vector<T>& scores) {
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return static_cast<float>(scores[a]) > static_cast<float>(scores[b]);
  });
  return order;
}

/// Integers, many of them equal.
template <class T>
std::vector<T> scores_of(size_t count) {
  std::vector<T> v;
  for (const float x : noise<float>(count, -200, 200, 3)) v.push_back(T(std::floor(x)));
  return v;
}

template <class T>
void check_sort(uint32_t count) {
  const auto scores = scores_of<T>(count);
  std::vector<uint32_t> indices(count);
  for (uint32_t i = 0; i < count; ++i) indices[i] = 1000000 + i;
  const std::vector<uint32_t> order = descending(scores);
  std::vector<T> want;
  std::vector<uint32_t> want_indices;
  for (const uint32_t i : order) {
    want.push_back(scores[i]);
    want_indices.push_back(indices[i]);
  }
  const auto repeats = static_cast<int32_t>(count / 32);
  run_clean([&] {
    Arena ub;
    auto src = ub(scores), sorted = ub.zeros<T>(AscendC::GetSortLen<T>(count)),
         tmp = ub.zeros<T>(AscendC::GetSortLen<T>(count)), values_out = ub.zeros<T>(count);
    auto index = ub(indices), indices_out = ub.zeros<uint32_t>(count);
    AscendC::LocalTensor<T> concat;
    AscendC::Concat(concat, src, tmp, static_cast<int32_t>(count / 16));
    AscendC::Sort<T, true>(sorted, concat, index, tmp, repeats);
    AscendC::Extract(values_out, indices_out, sorted, repeats);
    expect_same(values(values_out), want, "scores");
    expect_same(values(indices_out), want_indices, "indices");
    EXPECT_TRUE(ub.untouched());
    expect_same(values(src), scores, "the source");
  });
}

TEST_P(Sorting, All) {
  for (const uint32_t count : {32u, 64u, 96u, 128u, 160u, 544u, 2080u}) {
    check_sort<float>(count);
    check_sort<half>(count);
  }
}

TEST_P(Sorting, GroupsAndTheirMerge) {
  const auto scores = scores_of<float>(128);
  std::vector<uint32_t> indices(128);
  std::iota(indices.begin(), indices.end(), 0u);
  run_clean([&] {
    Arena ub;
    auto src = ub(scores), sorted = ub.zeros<float>(256), merged = ub.zeros<float>(256),
         out = ub.zeros<float>(128);
    auto index = ub(indices), out_index = ub.zeros<uint32_t>(128);
    AscendC::Sort<float, false>(sorted, src, index, merged, 4);
    AscendC::Extract(out, out_index, sorted, 4);
    for (uint32_t g = 0; g < 4; ++g)
      for (uint32_t i = 1; i < 32; ++i) EXPECT_GE(out.GetValue(g * 32 + i - 1), out.GetValue(g * 32 + i));
    const uint32_t step = AscendC::GetSortOffset<float>(32);
    AscendC::MrgSortSrcList runs =
        AscendC::MrgSortSrcList(sorted[0], sorted[step], sorted[2 * step], sorted[3 * step]);
    const uint16_t lengths[4] = {32, 32, 32, 32};
    uint32_t taken[4];
    AscendC::MrgSort<float, false>(merged, runs, lengths, taken, 0b1111, 1);
    AscendC::Extract(out, out_index, merged, 4);
    expect_same(values(out_index), descending(scores), "all four runs");
    for (const uint32_t t : taken) EXPECT_EQ(t, 32u);
    AscendC::MrgSort<float, true>(merged, runs, lengths, taken, 0b11, 1);
    EXPECT_TRUE(taken[0] == 32 || taken[1] == 32) << "one of the two runs is used up";
  });
}

enum Order { Largest, Smallest };

template <class T, bool isInitIndex, bool isHasfinish>
void check_top_k(uint32_t outer, uint32_t inner, uint32_t n, uint32_t k, Order wanted) {
  auto src = scores_of<T>(outer * inner);
  for (uint32_t r = 0; r < outer; ++r)
    for (uint32_t i = n; i < inner; ++i) src[r * inner + i] = T(wanted == Largest ? -60000.0f : 60000.0f);
  std::vector<int32_t> indices(inner);
  for (uint32_t i = 0; i < inner; ++i) indices[i] = static_cast<int32_t>(isInitIndex ? 3 * i + 5 : i);
  std::vector<uint8_t> finished((outer + 31) / 32 * 32);
  for (uint32_t r = 0; r < outer; ++r) finished[r] = r % 3 == 1;
  constexpr uint32_t unit = 32 / sizeof(T);
  const uint32_t value_pad = (k + unit - 1) / unit * unit, index_pad = (k + 7) / 8 * 8;
  run_clean([&] {
    Arena ub;
    auto out = ub.zeros<T>(outer * value_pad), in = ub(src);
    auto out_index = ub.zeros<int32_t>(outer * index_pad), in_index = ub(indices);
    auto marks = ub(finished).template ReinterpretCast<bool>();
    auto tmp = ub.zeros<uint8_t>(
        memory::top_k(sizeof(T), {outer, inner, n}, false, !isInitIndex, wanted == Smallest));
    AscendC::TopKInfo info;
    info.outter = static_cast<int32_t>(outer);
    info.inner = static_cast<int32_t>(inner);
    info.n = static_cast<int32_t>(n);
    AscendC::TopK<T, isInitIndex, isHasfinish>(out, out_index, in, in_index, marks, tmp,
                                               static_cast<int32_t>(k), AscendC::tiling::TopkTiling{}, info,
                                               wanted == Largest);
    EXPECT_TRUE(ub.untouched());
    expect_same(values(in), src, "the source");
    for (uint32_t r = 0; r < outer; ++r) {
      std::vector<T> row(src.begin() + r * inner, src.begin() + (r + 1) * inner);
      if (wanted == Smallest)
        for (T& x : row) x = T(-static_cast<float>(x));
      const auto order = descending(row);
      for (uint32_t i = 0; i < k; ++i) {
        ASSERT_EQ(static_cast<float>(out.GetValue(r * value_pad + i)),
                  static_cast<float>(src[r * inner + order[i]]))
            << "row " << r << ", place " << i;
        const int32_t want = isHasfinish && finished[r] ? static_cast<int32_t>(n) : indices[order[i]];
        ASSERT_EQ(out_index.GetValue(r * index_pad + i), want) << "row " << r << ", place " << i;
      }
      for (uint32_t i = k; i < value_pad; ++i)
        EXPECT_EQ(static_cast<float>(out.GetValue(r * value_pad + i)), 0.0f);
    }
  });
}

TEST_P(Sorting, TopK) {
  for (const Order order : {Largest, Smallest}) {
    check_top_k<float, false, false>(2, 32, 32, 1, order);
    check_top_k<float, true, true>(2, 32, 32, 5, order);
    check_top_k<float, false, true>(40, 64, 50, 9, order);
    check_top_k<half, true, false>(3, 128, 100, 100, order);
    check_top_k<half, false, true>(5, 32, 20, 17, order);
    check_top_k<float, false, false>(1, 1056, 1050, 300, order);
  }
}

template <class T, bool isInitIndex>
void check_top_k_small(uint32_t outer, uint32_t k, Order wanted) {
  const auto src = scores_of<T>(outer * 32);
  std::vector<int32_t> indices(outer * 32);
  for (uint32_t i = 0; i < indices.size(); ++i)
    indices[i] = static_cast<int32_t>(isInitIndex ? 1000 - i : i % 32);
  run_clean([&] {
    Arena ub;
    auto out = ub.zeros<T>(outer * k), in = ub(src);
    auto out_index = ub.zeros<int32_t>(outer * k), in_index = ub(indices);
    auto tmp =
        ub.zeros<uint8_t>(memory::top_k(sizeof(T), {outer, 32, 32}, true, !isInitIndex, wanted == Smallest));
    AscendC::TopKInfo info;
    info.outter = static_cast<int32_t>(outer);
    info.inner = info.n = 32;
    AscendC::LocalTensor<bool> none;
    AscendC::TopK<T, isInitIndex, false, false, AscendC::TopKMode::TOPK_NSMALL>(
        out, out_index, in, in_index, none, tmp, static_cast<int32_t>(k), AscendC::tiling::TopkTiling{}, info,
        wanted == Largest);
    EXPECT_TRUE(ub.untouched());
    for (uint32_t r = 0; r < outer; ++r) {
      std::vector<T> row(src.begin() + r * 32, src.begin() + (r + 1) * 32);
      if (wanted == Smallest)
        for (T& x : row) x = T(-static_cast<float>(x));
      const auto order = descending(row);
      for (uint32_t i = 0; i < k; ++i) {
        ASSERT_EQ(static_cast<float>(out.GetValue(r * k + i)), static_cast<float>(src[r * 32 + order[i]]));
        ASSERT_EQ(out_index.GetValue(r * k + i), indices[r * 32 + order[i]]);
      }
    }
  });
}

TEST_P(Sorting, TopKOfSmallRows) {
  for (const Order order : {Largest, Smallest}) {
    check_top_k_small<float, true>(4, 8, order);
    check_top_k_small<float, false>(7, 5, order);
    check_top_k_small<half, true>(30, 32, order);
    check_top_k_small<half, false>(3, 1, order);
  }
}

TEST_P(Sorting, SmallRowsAreNeverFinished) {
  const LaunchStatus status = run_kernel([&] {
    Arena ub;
    auto out = ub.zeros<float>(8), in = ub.zeros<float>(32);
    auto index = ub.zeros<int32_t>(8);
    auto marks = ub.zeros<uint8_t>(32).ReinterpretCast<bool>();
    auto tmp = ub.zeros<uint8_t>(memory::top_k(4, {1, 32, 32}, true, true, false));
    AscendC::TopKInfo info;
    info.inner = info.n = 32;
    AscendC::TopK<float, false, true, false, AscendC::TopKMode::TOPK_NSMALL>(
        out, index, in, index, marks, tmp, 2, AscendC::tiling::TopkTiling{}, info);
  });
  EXPECT_NE(status.report.find("isHasfinish = false"), std::string::npos) << status.report;
}

TEST_P(Sorting, NanIsFirst) {
  std::vector<float> src(32);
  std::iota(src.begin(), src.end(), 0.0f);
  src[9] = std::nanf("");
  for (const bool largest : {true, false})
    run_clean([&] {
      Arena ub;
      auto out = ub.zeros<float>(8), in = ub(src);
      auto index = ub.zeros<int32_t>(8);
      auto tmp = ub.zeros<uint8_t>(memory::top_k(4, {1, 32, 32}, false, true, !largest));
      AscendC::TopKInfo info;
      info.inner = info.n = 32;
      AscendC::LocalTensor<int32_t> none;
      AscendC::LocalTensor<bool> no_marks;
      AscendC::TopK<float>(out, index, in, none, no_marks, tmp, 2, AscendC::tiling::TopkTiling{}, info,
                           largest);
      EXPECT_TRUE(std::isnan(out.GetValue(0)));
      EXPECT_EQ(index.GetValue(0), 9);
      EXPECT_EQ(index.GetValue(1), largest ? 31 : 0);
    });
}

INSTANTIATE_TEST_SUITE_P(Simd, Sorting, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
