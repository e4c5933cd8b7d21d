#include "trace/l2.h"

#include <gtest/gtest.h>

namespace {

using toprope::trace::L2;

constexpr uint64_t kAt = 1 << 20;

TEST(L2, BytesAreFetchedOnce) {
  L2 l2;
  l2.begin(1 << 20, 1);
  EXPECT_EQ(l2.touch(kAt, 8192, 0), 8192u);
  EXPECT_EQ(l2.touch(kAt, 8192, 8192), 0u);
  EXPECT_EQ(l2.touch(kAt + 4096, 8192, 16384), 4096u);
}

TEST(L2, EveryLineOfAGranuleIsItsOwn) {
  L2 l2;
  l2.begin(1 << 20, 1);
  for (uint64_t line = 0; line < 128; ++line) EXPECT_EQ(l2.touch(kAt + line * 512, 512, 0), 512u) << line;
  for (uint64_t line = 0; line < 128; ++line) EXPECT_EQ(l2.touch(kAt + line * 512, 512, 0), 0u) << line;
}

TEST(L2, PartsOfLinesFetchWholeOnes) {
  L2 l2;
  l2.begin(1 << 20, 1);
  EXPECT_EQ(l2.touch(kAt + 500, 24, 0), 1024u);
  EXPECT_EQ(l2.touch(kAt + 900, 100, 24), 0u);
}

TEST(L2, WhatAllCoresHaveMovedSinceMustFit) {
  L2 l2;
  l2.begin(1 << 20, 4);  // 256 KiB for each core
  l2.touch(kAt, 512, 0);
  EXPECT_EQ(l2.touch(kAt, 512, 256 << 10), 0u);
  EXPECT_EQ(l2.touch(kAt, 512, (512 << 10) + 1), 512u);
}

TEST(L2, ANewLaunchFindsNothing) {
  L2 l2;
  l2.begin(1 << 20, 1);
  l2.touch(kAt, 512, 0);
  l2.begin(1 << 20, 1);
  EXPECT_EQ(l2.touch(kAt, 512, 0), 512u);
}

TEST(L2, RangesMayCrossGranules) {
  L2 l2;
  l2.begin(1 << 20, 1);
  EXPECT_EQ(l2.touch(kAt + 65536 - 512, 200000, 0), 200192u);  // 391 lines
}

}  // namespace
