// How operands share bytes, against the same questions asked of every byte.
#include "check/overlap.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/recorder.h"

namespace toprope::check {
namespace {

Access operand(const char* name, uint64_t at, uint32_t blocks, uint32_t repeats, uint32_t block_stride,
               uint32_t repeat_stride) {
  Access a;
  a.operand = name;
  a.slice.at = at;
  a.run = 32;
  a.blocks = blocks;
  a.repeats = repeats;
  a.block_stride = block_stride * 32;
  a.repeat_stride = repeat_stride * 32;
  return a;
}

std::set<uint64_t> bytes_of_repeat(Access a, uint32_t r) {
  a.slice.at += r * a.repeat_stride;
  a.repeats = 1;
  return test::bytes_of(a);
}

Overlap::Kind by_bytes(const Access& dst, const Access& src) {
  for (uint32_t r = 0; r < src.repeats; ++r)
    for (uint32_t w = 0; w <= r; ++w) {
      const auto written = bytes_of_repeat(dst, w), read = bytes_of_repeat(src, r);
      if (w == r && written == read) continue;
      for (const uint64_t byte : written)
        if (read.count(byte)) return w == r ? Overlap::Partial : Overlap::Across;
    }
  return Overlap::None;
}

TEST(Overlap, AgreesWithEveryByte) {
  std::mt19937 random(7);
  const auto pick = [&](uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random); };
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) {
    const uint32_t repeats = 1 + pick(3);
    const Access dst = operand("dst", pick(24) * 32, 8, repeats, 1 + pick(1), pick(10));
    const Access src = operand("src", pick(24) * 32, 8, repeats, pick(2), pick(10));
    const Overlap::Kind kind = overlap_of(dst, src).kind;
    ASSERT_EQ(kind, by_bytes(dst, src)) << i;
    ++seen[kind];
  }
  for (const int times : seen) EXPECT_GT(times, 100);
}

TEST(Overlap, BlocksOfAList) {
  std::mt19937 random(11);
  const auto pick = [&](uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random); };
  uint32_t lists[2][8];
  int seen[3] = {};
  for (int i = 0; i < 3000; ++i) {
    const uint32_t repeats = 1 + pick(2), step = 1 + pick(3);
    for (auto& list : lists)
      for (uint32_t b = 0; b < 8; ++b)
        list[b] = 32 * (b * step + (&list == lists ? pick(step - 1) : b % step));
    Access dst = operand("dst", pick(40) * 32, 8, repeats, 0, pick(10));
    Access src = operand("src", pick(3) ? pick(40) * 32 : dst.slice.at, 8, repeats, 0, pick(10));
    dst.places = lists[0];
    src.places = lists[pick(1)];
    const Overlap::Kind kind = overlap_of(dst, src).kind;
    ASSERT_EQ(kind, by_bytes(dst, src)) << i;
    ++seen[kind];
  }
  for (const int times : seen) EXPECT_GT(times, 100);
}

TEST(Overlap, MaskedElementsDoNotCount) {
  Access dst = operand("dst", 0, 8, 1, 1, 8), src = operand("src", 32, 8, 1, 1, 8);
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::Partial);
  dst.element = src.element = 4;
  dst.mask[0] = src.mask[0] = 0xff;  // one block each, side by side
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::None);
}

TEST(Overlap, ConsecutiveElementsGoRepeatByRepeat) {
  Access dst, src;
  dst.operand = "dst";
  src.operand = "src";
  dst.run = src.run = 1024;
  src.slice.at = 256;  // behind: each repeat is read before an earlier place is written
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::None);
  EXPECT_EQ(overlap_of(src, dst).kind, Overlap::Across);
  src.slice.at = 32;
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::Partial);
  src.slice.at = 0;
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::None);
  src.run = 512;  // half the width: 128 bytes a repeat
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::Partial);
  EXPECT_EQ(overlap_of(src, dst).kind, Overlap::None);  // to narrower, in place: written behind what is read
  src.slice.at = 1024;
  EXPECT_EQ(overlap_of(dst, src).kind, Overlap::None);
}

TEST(Overlap, TheSecondSourceMayBeAccumulatedInto) {
  const Access dst = operand("dst", 0, 8, 4, 1, 0), moving = operand("src1", 0, 8, 4, 1, 8);
  EXPECT_TRUE(may_accumulate("Add", dst, operand("src1", 0, 8, 4, 1, 0)));
  EXPECT_FALSE(may_accumulate("Add", dst, operand("src0", 0, 8, 4, 1, 0)));
  EXPECT_FALSE(may_accumulate("Div", dst, operand("src1", 0, 8, 4, 1, 0)));
  EXPECT_FALSE(may_accumulate("Add", moving, moving));
}

TEST(WrittenTwice, AgreesWithEveryByte) {
  std::mt19937 random(11);
  const auto pick = [&](uint32_t most) { return std::uniform_int_distribution<uint32_t>(0, most)(random); };
  int twice = 0;
  for (int i = 0; i < 3000; ++i) {
    const Access a = operand("dst", 0, 1 + pick(5), 1 + pick(5), pick(8), pick(8));
    const bool expected = test::bytes_of(a).size() < size_t{a.run} * a.blocks * a.repeats;
    ASSERT_EQ(written_twice(a).end != 0, expected) << i;
    twice += expected;
  }
  EXPECT_GT(twice, 500);
  EXPECT_LT(twice, 2500);
}

}  // namespace
}  // namespace toprope::check
