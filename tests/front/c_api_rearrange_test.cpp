// The C API's functions that collect, sort and transpose elements.
#include <algorithm>
#include <numeric>

#include "front/launch.h"
#include "support/c_api.h"

namespace {

using namespace toprope::test;

template <class T>
T numbered(size_t i) {
  return static_cast<T>(static_cast<float>(i));
}

template <class T>
void gathers() {
  constexpr uint32_t lanes = 256 / sizeof(T);
  const auto in = values_of<T>([](uint32_t i) { return numbered<T>(i % 251); });
  std::vector<uint32_t> offsets(2 * lanes);
  for (uint32_t i = 0; i < offsets.size(); ++i) offsets[i] = (i * 37 + 5) % 512 * sizeof(T);
  std::vector<T> first, waited, repeated;
  const auto before = std::vector<T>(1024, numbered<T>(9));
  expect_clean(launch([&] {
    T *d = ub(kDst, before), *s = ub(kSrc[0], in);
    uint32_t* at = ub(kSrc[1], offsets);
    asc_gather(d, s, at, 100);
    first = read(d, 1024);
    asc_gather_sync(d, s, at, 101);
    waited = read(d, 1024);
    ub(kDst, before);
    asc_set_vector_mask(kMask[1], kMask[0]);
    asc_gather(d, s, at, 10, 2);
    repeated = read(d, 1024);
  }));
  for (uint32_t i = 0; i < 101; ++i) {
    const T want = in[offsets[i] / sizeof(T)];
    ASSERT_EQ(first[i], i < 100 ? want : before[i]) << i;
    ASSERT_EQ(waited[i], want) << i;
  }
  for (uint32_t r = 0; r < 2; ++r)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      ASSERT_EQ(repeated[place<T>({1, 10}, r, lane)],
                in_mask(lane) ? in[offsets[r * lanes + lane] / sizeof(T)] : before[0])
          << r << " " << lane;
}

TEST(CApiRearrange, GatherElements) {
  gathers<int16_t>();
  gathers<uint16_t>();
  gathers<half>();
  gathers<bfloat16_t>();
  gathers<int32_t>();
  gathers<uint32_t>();
  gathers<float>();
}

TEST(CApiRearrange, GatherBlocks) {  // the example of the page, with blocks in another order
  const auto each = [](auto t) {
    using T = decltype(t);
    constexpr uint32_t per_block = 32 / sizeof(T);
    const auto in = values_of<T>([](uint32_t i) { return i; });
    const std::vector<uint32_t> offsets = {480, 32,  0,  64,  32,  96,  128, 160,
                                           0,   512, 32, 256, 288, 320, 352, 384};
    std::vector<T> got, waited;
    expect_clean(launch([&] {
      T *d = ub<T>(kDst), *s = ub(kSrc[0], in);
      uint32_t* at = ub(kSrc[1], offsets);
      asc_gather_datablock(d, s, at, 8, 1, 2);
      got = read(d, 16 * per_block);
      asc_gather_datablock_sync(d, s, at, 8, 1, 1);
      waited = read(d, 8 * per_block);
    }));
    for (uint32_t b = 0; b < 16; ++b)
      for (uint32_t i = 0; i < per_block; ++i) {
        const T want = in[offsets[b] / sizeof(T) + i];
        ASSERT_EQ(got[b * per_block + i], want);
        if (b < 8) {
          ASSERT_EQ(waited[b * per_block + i], want);
        }
      }
  };
  each(uint16_t{});
  each(uint32_t{});
}

TEST(CApiRearrange, KeepElements) {
  const auto each = [](auto t) {
    using T = decltype(t);
    constexpr uint32_t lanes = 256 / sizeof(T), bits = sizeof(T) * 8;
    const auto in = values_of<T>([](uint32_t i) { return i; });
    std::vector<T> mask(64);
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<T>(i * 0x9e3779b1u + 0x1234567u);
    const auto kept = [&](uint32_t i) { return mask[i / bits] >> (i % bits) & 1; };
    std::vector<T> first, waited, by_bits, squeezed, patterns[8];
    int64_t counts[11] = {};
    expect_clean(launch([&] {
      T *d = ub<T>(kDst), *s = ub(kSrc[0], in), *m = ub(kSrc[1], mask);
      asc_reduce(d, s, m, 100);
      counts[8] = asc_get_rsvd_count();
      first = read(d, 1024);
      asc_reduce_sync(d, s, m, lanes + 3);
      counts[9] = asc_get_rsvd_count();
      waited = read(d, 1024);
      for (uint8_t p = 1; p < 8; ++p) {
        asc_reduce(d, s, m, 2, 1, p, 10, 0);
        counts[p] = asc_get_rsvd_count();
        patterns[p] = read(d, 1024);
      }
      asc_reduce(d, s, m, 2, 2, 0, 17, 1);
      counts[0] = asc_get_rsvd_count();
      by_bits = read(d, 1024);
      asc_squeeze(d, s, m, 2, 1, 2, 1, 8, 17, 1);
      counts[10] = asc_get_rsvd_count();
      squeezed = read(d, 1024);
    }));
    const auto check = [&](const std::vector<T>& got, int64_t count, const std::vector<T>& want,
                           const char* what) {
      ASSERT_EQ(count, static_cast<int64_t>(want.size())) << what;
      ASSERT_TRUE(std::equal(want.begin(), want.end(), got.begin())) << what;
    };
    const auto firsts = [&](uint32_t n) {
      std::vector<T> v;
      for (uint32_t i = 0; i < n; ++i)
        if (kept(i)) v.push_back(in[i]);
      return v;
    };
    check(first, counts[8], firsts(100), "asc_reduce");
    check(waited, counts[9], firsts(lanes + 3), "asc_reduce_sync");
    std::vector<T> want;
    for (uint32_t r = 0; r < 2; ++r)  // a repeat's bits start a block of src1 further
      for (uint32_t lane = 0; lane < lanes; ++lane)
        if (kept(r * 256 + lane)) want.push_back(in[place<T>({2, 17}, r, lane)]);
    check(by_bits, counts[0], want, "asc_reduce of repeats");
    check(squeezed, counts[10], want, "asc_squeeze");
    constexpr uint32_t step[8] = {0, 2, 2, 4, 4, 4, 4, 1}, start[8] = {0, 0, 1, 0, 1, 2, 3, 0};
    for (uint8_t p = 1; p < 8; ++p) {
      std::vector<T> picked;
      for (uint32_t r = 0; r < 2; ++r)
        for (uint32_t lane = start[p]; lane < lanes; lane += step[p])
          picked.push_back(in[place<T>({1, 10}, r, lane)]);
      check(patterns[p], counts[p], picked, "asc_reduce by a pattern");
    }
  };
  each(uint16_t{});
  each(uint32_t{});
}

struct Record {
  float score;
  uint32_t index;
};

/// Records of 8 bytes: a score, an index in the upper half.
template <class T>
std::vector<Record> records(const uint8_t* at, size_t n) {
  std::vector<Record> v(n);
  for (size_t i = 0; i < n; ++i) {
    T score;
    std::memcpy(static_cast<void*>(&score), at + i * 8, sizeof(T));
    v[i].score = static_cast<float>(score);
    std::memcpy(&v[i].index, at + i * 8 + 4, 4);
  }
  return v;
}

template <class T>
void sorts() {
  std::vector<T> scores(256);
  std::vector<uint32_t> indices(256);
  for (uint32_t i = 0; i < 256; ++i) {
    scores[i] = numbered<T>(i * 89 % 256);  // each once
    indices[i] = 1000 + i;
  }
  std::vector<uint8_t> sorted, merged, two, waited;
  uint16_t taken[ASC_C_API_MRGSORT_ELEMENT_LEN] = {};
  expect_clean(launch([&] {
    T *d = ub<T>(0), *s = ub(16384, scores);
    uint32_t* index = ub(20480, indices);
    asc_bitsort(d, s, index, 8);
    sorted = read(ub<uint8_t>(0), 2048);
    asc_bitsort_sync(d, s, index, 8);
    waited = read(ub<uint8_t>(0), 2048);
    T* queues[ASC_C_API_MRGSORT_ELEMENT_LEN];
    for (int q = 0; q < 4; ++q) queues[q] = ub<T>(q * 256u);
    T* out = ub<T>(32768);
    asc_mrgsort4(out, queues, 2, 32, 32, 32, 32, false, 15);  // the example of the page
    merged = read(ub<uint8_t>(32768), 2048);
    queues[0] = ub<T>(32768);
    queues[1] = ub<T>(32768 + 1024);
    asc_mrgsort4_sync(ub<T>(65536), queues, 1, 128, 128, 0, 0, false, 3);
    two = read(ub<uint8_t>(65536), 2048);
    asc_mrgsort4(ub<T>(65536), queues, 1, 1, 128, 0, 0, true, 3);
    asc_get_vms4_sr(taken);
  }));
  EXPECT_EQ(sorted, waited);
  const auto check = [&](const std::vector<uint8_t>& bytes, size_t group, const char* what) {
    const auto got = records<T>(bytes.data(), 256);
    for (size_t g = 0; g < 256; g += group) {
      std::vector<uint32_t> order(group);
      std::iota(order.begin(), order.end(), static_cast<uint32_t>(g));
      std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
      for (size_t i = 0; i < group; ++i) {
        ASSERT_EQ(got[g + i].score, static_cast<float>(scores[order[i]])) << what << " " << g + i;
        ASSERT_EQ(got[g + i].index, 1000 + order[i]) << what << " " << g + i;
      }
    }
  };
  check(sorted, 32, "asc_bitsort");
  check(merged, 128, "asc_mrgsort4");
  check(two, 256, "asc_mrgsort4 of two");
  // It stops when the first queue's one record is taken; before it, those of the second that are larger.
  const auto first = records<T>(merged.data(), 1), second = records<T>(merged.data() + 1024, 128);
  const auto larger =
      std::count_if(second.begin(), second.end(), [&](const Record& r) { return r.score > first[0].score; });
  EXPECT_EQ(taken[0], 1);
  EXPECT_EQ(taken[1], larger);
}

TEST(CApiRearrange, SortAndMerge) {
  sorts<half>();
  sorts<float>();
}

TEST(CApiRearrange, TransposeASquare) {
  const auto each = [](auto t) {
    using T = decltype(t);
    const auto in = values_of<T>([](uint32_t i) { return i; });
    std::vector<T> got, waited;
    expect_clean(launch([&] {
      T *d = ub<T>(0), *s = ub(4096, in);
      asc_transpose(d, s);
      got = read(d, 256);
      asc_duplicate(d, 0, 256);
      asc_transpose_sync(d, s);
      waited = read(d, 256);
    }));
    for (uint32_t r = 0; r < 16; ++r)
      for (uint32_t c = 0; c < 16; ++c) ASSERT_EQ(got[c * 16 + r], in[r * 16 + c]);
    EXPECT_EQ(got, waited);
  };
  each(int16_t{});
  each(uint16_t{});
}

/// The blocks of both lists are the rows of `width`-byte elements in one piece of memory.
template <class T>
std::vector<T> to_5hd(bool waits, bool dst_high, bool src_high, const std::vector<T>& in,
                      std::vector<T> out) {
  expect_clean(launch([&] {
    T *d = ub(0, out), *s = ub(8192, in);
    T *dst[16], *src[16];
    for (int i = 0; i < 16; ++i) {
      dst[i] = d + i * (32 / sizeof(T));
      src[i] = s + i * (32 / sizeof(T));
    }
    asc_set_va_reg(VA0, dst);
    asc_set_va_reg(VA1, dst + 8);
    asc_set_va_reg(VA2, src);
    asc_set_va_reg(VA3, src + 8);
    if constexpr (sizeof(T) == 1) {
      waits ? asc_transto5hd_b8_sync(VA0, VA2, 1, 0, 0, dst_high, src_high)
            : asc_transto5hd_b8(VA0, VA2, 1, 0, 0, dst_high, src_high);
    } else if constexpr (sizeof(T) == 2) {
      waits ? asc_transto5hd_b16_sync(VA0, VA2, 1, 0, 0) : asc_transto5hd_b16(VA0, VA2, 1, 0, 0);
    } else {
      waits ? asc_transto5hd_b32_sync(VA0, VA2, 1, 0, 0) : asc_transto5hd_b32(VA0, VA2, 1, 0, 0);
    }
    out = read(d, out.size());
  }));
  return out;
}

TEST(CApiRearrange, BlocksAsColumns) {
  const auto halves = values_of<half>([](uint32_t i) { return numbered<half>(i); });
  const auto words = values_of<uint32_t>([](uint32_t i) { return i; });
  const auto bytes = values_of<int8_t>([](uint32_t i) { return static_cast<int8_t>(i * 7); });
  for (const bool waits : {false, true}) {
    const auto h = to_5hd(waits, false, false, halves, std::vector<half>(256));
    for (uint32_t r = 0; r < 16; ++r)
      for (uint32_t c = 0; c < 16; ++c) ASSERT_EQ(h[c * 16 + r], halves[r * 16 + c]);
    const auto w = to_5hd(waits, false, false, words, std::vector<uint32_t>(128));
    for (uint32_t r = 0; r < 16; ++r)
      for (uint32_t c = 0; c < 8; ++c) ASSERT_EQ(w[(2 * c + r / 8) * 8 + r % 8], words[r * 8 + c]);
    for (const bool dst_high : {false, true})
      for (const bool src_high : {false, true}) {
        const auto b = to_5hd(waits, dst_high, src_high, bytes, std::vector<int8_t>(512, 9));
        for (uint32_t r = 0; r < 16; ++r)
          for (uint32_t c = 0; c < 16; ++c) {
            ASSERT_EQ(b[c * 32 + dst_high * 16 + r], bytes[r * 32 + src_high * 16 + c]);
            ASSERT_EQ(b[c * 32 + !dst_high * 16 + r], 9);
          }
      }
  }
}

}  // namespace
