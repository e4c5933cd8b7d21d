// Words in GM that cores tell each other things with, and the scalar unit's functions.
#include <atomic>
#include <vector>

#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::Fault;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

TEST(Gm, ACoreThatPollsLetsOthersWrite) {  // the example of the page DataSyncBarrier, in both directions;
                                           // facts/cases G04
  for (int writer : {0, 1}) {
    std::vector<int32_t> gm(2, 0);
    int32_t got = 0;
    expect_clean(launch(2, 0, 1, [&] {
      if (GetBlockIdx() == writer) {
        WriteGmByPassDCache(&gm[1], int32_t{42});
        DataSyncBarrier<MemDsbT::DDR>();
        WriteGmByPassDCache(&gm[0], int32_t{1});
      } else {
        while (ReadGmByPassDCache(&gm[0]) != 1) {
        }
        got = ReadGmByPassDCache(&gm[1]);
      }
    }));
    EXPECT_EQ(got, 42);
  }
}

TEST(Gm, PollingThroughTheDataCache) {
  std::vector<int64_t> gm(16, 0);
  expect_clean(launch(2, 0, 1, [&] {
    GlobalTensor<int64_t> t;
    t.SetGlobalBuffer(gm.data(), gm.size());
    if (GetBlockIdx() == 1) {
      t.SetValue(0, 1);
      DataCacheCleanAndInvalid<int64_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t);
      return;
    }
    do {
      DataCacheCleanAndInvalid<int64_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t);
    } while (t.GetValue(0) == 0);
  }));
}

TEST(Gm, PollingManyWordsInTurn) {  // each block's flag on a line of its own; block 0 waits for all
  constexpr int kBlocks = 6, kLine = 16;
  std::vector<int32_t> gm(kBlocks * kLine, 0);
  expect_clean(launch(kBlocks, 0, 1, [&] {
    GlobalTensor<int32_t> t;
    t.SetGlobalBuffer(gm.data(), gm.size());
    const auto clean = [&](uint64_t at) {
      DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t[at]);
    };
    const auto block = static_cast<uint64_t>(GetBlockIdx());
    t.SetValue(block * kLine, 1);
    clean(block * kLine);
    for (bool ready = block != 0; !ready;) {
      ready = true;
      for (uint64_t i = 0; i < kBlocks && ready; ++i) {
        clean(i * kLine);
        ready = t.GetValue(i * kLine) == 1;
      }
    }
  }));
}

TEST(Gm, PollingForNothingIsADeadlock) {
  int32_t word = 5;
  const auto status = launch(3, 0, 1, [&] {
    if (GetBlockIdx() == 1)
      while (ReadGmByPassDCache(&word) == 5) {
      }
  });
  expect_refused(status, Fault::Deadlock, "AIV 1 waits for GM at 0x", "it reads 5 again and again",
                 "gm_test.cpp");
}

TEST(Gm, ALoopThatGivesUpIsNone) {
  int32_t word = 5;
  int looks = 0;
  expect_clean(launch(2, 0, 1, [&] {
    if (GetBlockIdx() == 0)
      for (looks = 0; looks < 100000 && ReadGmByPassDCache(&word) == 5; ++looks) {
      }
  }));
  EXPECT_EQ(looks, 100000);
}

TEST(Gm, EveryWidth) {
  alignas(8) uint8_t bytes[8] = {0x80, 1, 2, 3, 4, 5, 6, 0xff};
  expect_clean(launch([&] {
    EXPECT_EQ(ReadGmByPassDCache(reinterpret_cast<int8_t*>(bytes)), -128);
    EXPECT_EQ(ReadGmByPassDCache(reinterpret_cast<uint16_t*>(bytes)), 0x0180);
    EXPECT_EQ(ReadGmByPassDCache(reinterpret_cast<int64_t*>(bytes)),
              static_cast<int64_t>(0xff06050403020180ull));
    WriteGmByPassDCache(reinterpret_cast<int16_t*>(bytes + 2), int16_t{-2});
  }));
  EXPECT_EQ(bytes[1], 1);
  EXPECT_EQ(bytes[2], 0xfe);
  EXPECT_EQ(bytes[3], 0xff);
  EXPECT_EQ(bytes[4], 4);
  expect_refused(launch([&] { ReadGmByPassDCache(reinterpret_cast<int32_t*>(bytes + 1)); }),
                 "ReadGmByPassDCache: the address is not a multiple of the element's 4 bytes");
}

TEST(Scalar, TheExamplesOfThePages) {
  EXPECT_EQ(CountBitsCntSameAsSignBit(0x0100000000000020LL), 6);
  EXPECT_EQ(CountBitsCntSameAsSignBit(0), -1);
  EXPECT_EQ(CountBitsCntSameAsSignBit(-1), -1);
  EXPECT_EQ(CountBitsCntSameAsSignBit(0x7FFFFFFFFFFFFFFFLL), 0);
  EXPECT_EQ(CountBitsCntSameAsSignBit(static_cast<int64_t>(0x8000000000000000ull)), 0);
  EXPECT_EQ(CountBitsCntSameAsSignBit(1), 62);
  EXPECT_EQ(CountBitsCntSameAsSignBit(0x00F0000000000000LL), 7);
  EXPECT_EQ(CountLeadingZero(0x0100000000000020ULL), 7);
  EXPECT_EQ(CountLeadingZero(0xFFFFULL), 48);
  EXPECT_EQ(CountLeadingZero(0), 64);
  EXPECT_EQ(GetBitCount<1>(0xFFFF), 16);
  EXPECT_EQ(GetBitCount<0>(0xFFFF), 48);
  EXPECT_EQ(GetSFFValue<1>(0x1000000000000100ULL), 8);
  EXPECT_EQ(GetSFFValue<0>(~uint64_t{0}), -1);
  EXPECT_EQ(GetSFFValue<1>(0), -1);
  EXPECT_EQ(GetSFFValue<0>(0xFF00), 0);
  EXPECT_EQ(GetSFFValue<0>(0x00FF), 8);
  EXPECT_EQ(CeilDivision(7, 2), 4);
  EXPECT_EQ(CeilDivision(8, 2), 4);
  EXPECT_EQ(CeilDivision(8, 0), 0);
}

}  // namespace
