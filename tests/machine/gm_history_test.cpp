// When a copy into GM goes past the caches: only once a launch has stored much, and never where it wrote
// before. When a copy from GM looks ahead: only in a sequence, in a launch that reads much.
#include "machine/gm_history.h"

#include <gtest/gtest.h>

namespace toprope {
namespace {

constexpr uintptr_t kBase = uintptr_t{1} << 40;
constexpr uint64_t kTile = 16384;

/// Stores `bytes` in tiles from `base` on; how many of them were told to go past the caches.
uint64_t sweep(GmHistory& history, uintptr_t base, uint64_t bytes) {
  uint64_t past = 0;
  for (uint64_t at = 0; at < bytes; at += kTile) past += history.store(base + at, kTile) ? kTile : 0;
  return past;
}

TEST(GmHistory, OnlyBeyondTheCaches) {
  GmHistory history;
  history.begin(1);
  EXPECT_EQ(sweep(history, kBase, 8 << 20), 0u);
  EXPECT_EQ(sweep(history, kBase + (8 << 20), 8 << 20), uint64_t{8 << 20});
}

TEST(GmHistory, SamePlaceAgainStaysInTheCache) {
  GmHistory history;
  history.begin(1);
  sweep(history, kBase, 64 << 20);
  const uintptr_t workspace = kBase + (uint64_t{1} << 30);
  sweep(history, workspace, 256 << 10);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sweep(history, workspace, 256 << 10), 0u);
}

TEST(GmHistory, EveryLaunchStartsAnew) {
  GmHistory history;
  history.begin(1);
  const uint64_t first = sweep(history, kBase, 16 << 20);
  history.begin(2);
  EXPECT_EQ(sweep(history, kBase, 16 << 20), first);
  EXPECT_GT(first, 0u);
}

TEST(GmHistory, LooksAheadInSequencesOnly) {
  GmHistory history;
  history.begin(1);
  const uintptr_t other = kBase + (uint64_t{1} << 30), scattered = kBase + (uint64_t{2} << 30);
  uint32_t ahead = 0, tiles = 0;
  for (uint64_t at = 0; at < 8 << 20; at += kTile, ++tiles) {
    ahead += history.load(kBase + at, kTile);
    ahead += history.load(other + at, kTile);
    EXPECT_FALSE(history.load(scattered + at * 3, kTile));
  }
  EXPECT_GT(ahead, tiles);  // both sequences, after the first megabytes
  EXPECT_LT(ahead, 2 * tiles);
  history.begin(2);
  EXPECT_FALSE(history.load(kBase + (8 << 20), kTile));  // goes on, but this launch has read little
}

TEST(GmHistory, SmallCopiesNeverDo) {
  GmHistory history;
  history.begin(1);
  sweep(history, kBase, 64 << 20);
  EXPECT_FALSE(history.store(kBase + (uint64_t{1} << 30), 1024));
}

}  // namespace
}  // namespace toprope
