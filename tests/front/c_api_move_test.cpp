// The C API's copies, and the atomic operations on them.
#include <algorithm>

#include "front/launch.h"
#include "support/c_api.h"

namespace {

using namespace toprope::test;

std::vector<uint8_t> bytes(size_t n, uint8_t step) {
  std::vector<uint8_t> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<uint8_t>(i * step + 1);
  return v;
}

TEST(CApiMove, WholeBlocks) {
  const auto in = bytes(2048, 7);
  std::vector<uint8_t> plain, rows, within, within_rows, out(2048, 9), out_rows(2048, 9), waited(3 * 64, 9);
  expect_clean(launch([&] {
    auto* gm = const_cast<uint8_t*>(in.data());
    uint8_t *a = ub(0, std::vector<uint8_t>(2048, 9)), *b = ub(4096, std::vector<uint8_t>(2048, 9));
    asc_copy_gm2ub(a, gm, 1024);
    plain = read(a, 1056);
    asc_copy_ub2ub(b, a, 96);
    within = read(b, 128);
    asc_copy_gm2ub(a, gm, 3, 2, 1, 2);  // rows of 64 bytes, 96 apart in GM and 128 in UB
    rows = read(a, 320);
    asc_copy_ub2ub(b, a, 3, 2, 2, 1);
    within_rows = read(b, 256);
    asc_copy_ub2gm(out.data(), a, 64);
    asc_copy_ub2gm(out_rows.data(), a, 3, 2, 2, 1);
    asc_copy_gm2ub_sync(a, gm, 64);
    asc_copy_ub2ub_sync(b, a, 64);
    asc_copy_ub2gm_sync(waited.data(), b, 64);
  }));
  EXPECT_TRUE(std::equal(in.begin(), in.begin() + 1024, plain.begin()));
  EXPECT_EQ(plain[1024], 9);
  EXPECT_TRUE(std::equal(in.begin(), in.begin() + 96, within.begin()));
  EXPECT_EQ(within[96], 9);
  for (size_t r = 0; r < 3; ++r)
    for (size_t i = 0; i < 64; ++i) {
      const uint8_t want = in[r * 96 + i];
      ASSERT_EQ(rows[r * 128 + i], want);
      ASSERT_EQ(within_rows[r * 96 + i], want);
      ASSERT_EQ(out_rows[r * 96 + i], want);
    }
  EXPECT_EQ(out_rows[64], 9);
  EXPECT_TRUE(std::equal(in.begin(), in.begin() + 64, out.begin()));
  EXPECT_EQ(out[64], 9);
  EXPECT_TRUE(std::equal(in.begin(), in.begin() + 64, waited.begin()));
}

template <class T>
void aligned() {
  std::vector<T> in(512), one, padded, filled, out(64, T(9)), out_rows(512, T(9)), waited(64, T(9));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(static_cast<float>(i % 100 + 1));
  constexpr uint32_t per_block = 32 / sizeof(T);
  const auto before = std::vector<T>(512, T(9));
  expect_clean(launch([&] {
    T* a = ub(0, before);
    asc_copy_gm2ub_align(a, in.data(), 7 * sizeof(T));
    one = read(a, 64);
    ub(0, before);
    asc_copy_gm2ub_align(a, in.data(), 2, 3 * sizeof(T), 2, 1, 1, 1);
    padded = read(a, 512);
    asc_set_copy_pad_val(T(5));
    asc_copy_gm2ub_align(a, in.data(), 2, 3 * sizeof(T), 2, 1, 1, 1);
    filled = read(a, 512);
    asc_copy_gm2ub_align_sync(a, in.data(), 33 * sizeof(T));
    asc_copy_ub2gm_align(out.data(), a, 33 * sizeof(T));
    asc_copy_gm2ub_align(a, in.data(), 128);
    asc_copy_ub2gm_align(out_rows.data(), a, 2, 3 * sizeof(T), 0, 0, 1, 1);
    asc_copy_ub2gm_align_sync(waited.data(), a, 5 * sizeof(T));
  }));
  for (uint32_t i = 0; i < 7; ++i) ASSERT_EQ(one[i], in[i]);
  for (uint32_t r = 0; r < 2; ++r) {
    // GM: 3 elements, then a gap of a block. UB: 2 + 3 + 1 elements, filled up to blocks, then a gap of a
    // block.
    const T* row = in.data() + r * (3 + per_block);
    const uint32_t blocks = (6 + per_block - 1) / per_block, at = r * (blocks + 1) * per_block;
    for (uint32_t i = 0; i < 3; ++i) {
      ASSERT_EQ(padded[at + 2 + i], row[i]) << r << " " << i;
      ASSERT_EQ(filled[at + 2 + i], row[i]) << r << " " << i;
    }
    for (uint32_t i : {0u, 1u, 5u}) {
      ASSERT_EQ(padded[at + i], row[0]) << r << " " << i;
      ASSERT_EQ(filled[at + i], T(5)) << r << " " << i;
    }
    const uint32_t from = r * 2 * per_block;  // a row's block and the gap of one
    for (uint32_t i = 0; i < 3; ++i)
      ASSERT_EQ(out_rows[r * (3 + per_block) + i], in[from + i]) << r << " " << i;
  }
  for (uint32_t i = 0; i < 64; ++i) {
    ASSERT_EQ(out[i], i < 33 ? in[i] : T(9)) << i;
    ASSERT_EQ(waited[i], i < 5 ? in[i] : T(9)) << i;
  }
}

TEST(CApiMove, BytesWithPadding) {
  aligned<int8_t>();
  aligned<uint8_t>();
  aligned<int16_t>();
  aligned<uint16_t>();
  aligned<half>();
  aligned<bfloat16_t>();
  aligned<int32_t>();
  aligned<uint32_t>();
  aligned<float>();
}

TEST(CApiMove, EightByteElementsToGm) {
  const auto each = [](auto t) {
    using T = decltype(t);
    std::vector<T> out(8, T(9)), waited(8, T(9));
    expect_clean(launch([&] {
      T* a = ub<T>(0, {1, 2, 3, 4, 5, 6, 7, 8});
      asc_copy_ub2gm_align(out.data(), a, 5 * sizeof(T));
      asc_copy_ub2gm_align_sync(waited.data(), a, 2 * sizeof(T));
    }));
    EXPECT_EQ(out, (std::vector<T>{1, 2, 3, 4, 5, 9, 9, 9}));
    EXPECT_EQ(waited, (std::vector<T>{1, 2, 9, 9, 9, 9, 9, 9}));
  };
  each(double{});
  each(int64_t{});
  each(uint64_t{});
}

TEST(CApiMove, AtomicCopies) {  // the example of the page asc_set_atomic_add, and its likes
  const auto each = [](auto t, auto add, auto max, auto min) {
    using T = decltype(t);
    std::vector<T> sum(32, T(1)), most(32, T(3)), least(32, T(1)), over(32, T(7));
    expect_clean(launch([&] {
      T* two = ub(0, std::vector<T>(32, T(2)));
      const uint32_t size = 32 * sizeof(T);
      add();
      asc_copy_ub2gm(sum.data(), two, size);
      max();
      asc_copy_ub2gm(most.data(), two, size);
      min();
      asc_copy_ub2gm(least.data(), two, size);
      asc_set_atomic_none();
      asc_copy_ub2gm(over.data(), two, size);
    }));
    EXPECT_EQ(sum[31], T(3));
    EXPECT_EQ(most[31], T(3));
    EXPECT_EQ(least[31], T(1));
    EXPECT_EQ(over[31], T(2));
  };
#define EACH(T, type) \
  each(T{}, asc_set_atomic_add_##type, asc_set_atomic_max_##type, asc_set_atomic_min_##type)
  EACH(int8_t, int8);
  EACH(int16_t, int16);
  EACH(int32_t, int);
  EACH(bfloat16_t, bfloat);
  EACH(half, float16);
  EACH(float, float);
}

TEST(CApiMove, AtomicConfiguration) {  // the example of the page asc_get_store_atomic_config
  asc_store_atomic_config got;
  std::vector<float> sum(8, 1.0f);
  expect_clean(launch([&] {
    asc_set_store_atomic_config_v1(1, 0);
    asc_get_store_atomic_config(got);
    asc_copy_ub2gm(sum.data(), ub(0, std::vector<float>(8, 2.0f)), 32);
  }));
  EXPECT_EQ(got.atomic_type, 1u);
  EXPECT_EQ(got.atomic_op, 0u);
  EXPECT_EQ(sum[0], 3.0f);
  expect_refused(launch([] { asc_set_store_atomic_config_v1(7, 0); }), "asc_set_store_atomic_config_v1",
                 "type");
  expect_refused(launch([] { asc_set_store_atomic_config_v1(1, 1); }), "op");
}

}  // namespace
