#include "check/painted.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

using toprope::check::Painted;

class PaintedTest : public ::testing::Test {
 protected:
  uint64_t at(uint64_t byte) const { return reinterpret_cast<uintptr_t>(memory.data()) + byte; }
  /// The unwritten bytes of [begin, end), as offsets.
  std::pair<uint64_t, uint64_t> unwritten(uint64_t begin, uint64_t end) {
    const Painted::Range r = painted.unwritten(at(begin), at(end));
    return r ? std::pair(r.begin - at(0), r.end - at(0)) : std::pair<uint64_t, uint64_t>(0, 0);
  }
  std::vector<uint64_t> memory = std::vector<uint64_t>(512);
  Painted painted;
};

const std::pair<uint64_t, uint64_t> kNone{0, 0};

TEST_F(PaintedTest, NothingIsKnownOfOtherMemory) {
  EXPECT_EQ(unwritten(0, 4096), kNone);
  painted.paint(at(0), 1024);
  EXPECT_EQ(unwritten(1024, 4096), kNone);
}

TEST_F(PaintedTest, WhatNobodyHasWritten) {
  painted.paint(at(0), 4096);
  EXPECT_EQ(unwritten(100, 200), std::pair(100ul, 200ul));
  std::memset(reinterpret_cast<void*>(at(0)), 0, 1000);  // unseen
  EXPECT_EQ(unwritten(0, 1000), kNone);
  EXPECT_EQ(unwritten(0, 1032), std::pair(1000ul, 1032ul));
  std::memset(reinterpret_cast<void*>(at(1008)), 0, 24);
  EXPECT_EQ(unwritten(0, 1032), std::pair(1000ul, 1008ul));
  EXPECT_EQ(unwritten(4000, 4096), std::pair(4000ul, 4096ul));
}

TEST_F(PaintedTest, OneByteOfAWordIsEnough) {
  painted.paint(at(0), 4096);
  reinterpret_cast<char*>(at(0))[3] = 0;
  EXPECT_EQ(unwritten(0, 8), kNone);
  EXPECT_EQ(unwritten(6, 9), std::pair(8ul, 9ul));
}

TEST_F(PaintedTest, WhatTheHostWroteIsStruckOff) {
  painted.paint(at(0), 4096);
  painted.strike(at(0), 2048);  // and keeps the pattern: a copy of such memory is a write
  EXPECT_EQ(unwritten(0, 2048), kNone);
  EXPECT_EQ(unwritten(0, 4096), std::pair(2048ul, 4096ul));
}

TEST_F(PaintedTest, AnAllocationAtTheSamePlaceStartsAnew) {
  painted.paint(at(0), 4096);
  std::memset(memory.data(), 0, 4096);
  EXPECT_EQ(unwritten(0, 4096), kNone);
  painted.strike(at(0), 4096);
  painted.paint(at(0), 512);
  EXPECT_EQ(unwritten(0, 4096), std::pair(0ul, 512ul));
}

}  // namespace
