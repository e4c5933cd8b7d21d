// Races between blocks: GM that one stores and another stores, adds to or reads.
#include "check/race.h"
#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Race;
using toprope::test::Arrays;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::Shape;
using toprope::test::ub;

constexpr Shape kBlocks2{2}, kBlocks4{4};

TEST(Race, BlocksThatWriteTheSameBytes) {  // facts/cases B11
  Arrays m;
  const auto write = [&](uint64_t step) {
    auto t = ub(0);
    DataCopy(m.target()[static_cast<uint64_t>(GetBlockIdx()) * step], t, 64);
    PipeBarrier<PIPE_ALL>();  // orders nothing between cores
  };
  expect_silent(findings<Race>([&] { write(64); }, kBlocks2));
  expect_one(findings<Race>([&] { write(32); }, kBlocks2), "race.waw",
             {"another block's DataCopy (PIPE_MTE3)", "SyncAll()", "bytes 128 to 256 of its GM tensor"});
}

TEST(Race, BlocksThatStoreTheSameBytesAgain) {
  Arrays m;
  const auto store = [&](float value, uint32_t elements) {
    auto t = ub(0);
    Duplicate(t, value, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(m.target(), t, elements);
  };
  expect_silent(findings<Race>([&] { store(3, 64); }, kBlocks4));
  expect_silent(findings<Race>([&] { store(4, 64 - 8 * static_cast<uint32_t>(GetBlockIdx())); },
                               kBlocks4));  // a part of them
  expect_silent(findings<Race>(             // and nobody who reads them can tell who wrote last
      [&] {
        store(5, 64);
        PipeBarrier<PIPE_ALL>();
        DataCopy(ub(1024), m.target(), 64);
        PipeBarrier<PIPE_ALL>();
      },
      kBlocks4));
  expect_silent(findings<Race>(
      [&] {
        for (uint64_t tile = 0; tile < 3; ++tile) {
          DataCopy(ub(0), m.source()[tile * 64], 64);
          PipeBarrier<PIPE_ALL>();
          DataCopy(m.target()[tile * 64], ub(0), 64);
          PipeBarrier<PIPE_ALL>();
        }
      },
      kBlocks4));
  // What a block makes of its own input is its own, also where all inputs are 1.
  expect_one(findings<Race>(
                 [&] {
                   DataCopy(ub(0), m.source()[static_cast<uint64_t>(GetBlockIdx()) * 64], 64);
                   PipeBarrier<PIPE_ALL>();
                   DataCopy(m.target(), ub(0), 64);
                 },
                 kBlocks4),
             "race.waw");
  expect_one(findings<Race>([&] { store(static_cast<float>(GetBlockIdx()), 64); }, kBlocks4), "race.waw",
             {"bytes 0 to 256 of its GM tensor", "another block's DataCopy (PIPE_MTE3)"});
  // More than the other has stored: two tiles overlap, and that their bytes agree is chance.
  expect_one(findings<Race>(
                 [&] {
                   Duplicate(ub(0), 7.0f, 64);
                   PipeBarrier<PIPE_ALL>();
                   DataCopy(m.target(), ub(0), 56 + 8 * static_cast<uint32_t>(GetBlockIdx()));
                 },
                 kBlocks2),
             "race.waw");
}

TEST(Race, AStoreAgainHidesNoOther) {
  Arrays m;
  const auto body = [&](bool all, bool add) {
    auto t = ub(0);
    Duplicate(t, 0.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(m.target(), t, 64);
    PipeBarrier<PIPE_ALL>();
    if (all) SyncAll();
    if (GetBlockIdx() != 3) return;  // its own store is in order, those of the others are not
    Duplicate(t, 2.0f, 64);
    PipeBarrier<PIPE_ALL>();
    if (add) SetAtomicAdd<float>();
    DataCopy(m.target(), t, 64);
    SetAtomicNone();
  };
  expect_silent(findings<Race>([&] { body(true, false); }, kBlocks4));
  expect_silent(findings<Race>([&] { body(true, true); }, kBlocks4));
  expect_one(findings<Race>([&] { body(false, true); }, kBlocks4), "race.waw",
             {"another block's DataCopy (PIPE_MTE3)"});
}

TEST(Race, BlocksThatReadWhatAnotherWrites) {
  Arrays m;
  expect_one(findings<Race>(
                 [&] {
                   if (GetBlockIdx() == 0)
                     DataCopy(m.target(), ub(0), 64);
                   else
                     DataCopy(ub(0), m.target(), 64);
                 },
                 kBlocks2),
             "race.raw", {"another block's DataCopy (PIPE_MTE3)"});
  expect_silent(findings<Race>(
      [&] {
        if (GetBlockIdx() == 0) DataCopy(m.target(), ub(0), 64);
        SyncAll();
        if (GetBlockIdx() == 1) DataCopy(ub(0), m.target(), 64);
      },
      kBlocks2));
}

TEST(Race, FlagsBetweenCoresCoverTheirPipe) {
  Arrays m;
  expect_silent(findings<Race>(
      [&] {
        if (GetBlockIdx() == 0) DataCopy(m.target(), ub(0), 64);
        CrossCoreSetFlag<0, PIPE_MTE3>(3);
        CrossCoreWaitFlag(3);
        if (GetBlockIdx() == 1) DataCopy(ub(0), m.target(), 64);
      },
      kBlocks2));
  expect_one(findings<Race>(
                 [&] {
                   if (GetBlockIdx() == 0) DataCopy(m.target(), ub(0), 64);
                   CrossCoreSetFlag<0, PIPE_MTE2>(3);  // says nothing about the copy out
                   CrossCoreWaitFlag(3);
                   if (GetBlockIdx() == 1) DataCopy(ub(0), m.target(), 64);
                 },
                 kBlocks2),
             "race.raw");
}

TEST(Race, AtomicAddsMayMeet) {  // facts/cases B10
  Arrays m;
  expect_silent(findings<Race>(
      [&] {
        auto t = ub(0);
        Duplicate(t, 3.0f, 64);
        PipeBarrier<PIPE_ALL>();
        SetAtomicAdd<float>();
        DataCopy(m.target(), t, 64);
        SetAtomicNone();
      },
      kBlocks4));
  EXPECT_EQ(m.out[0], 12);
  expect_one(findings<Race>(
                 [&] {
                   if (GetBlockIdx() == 0) SetAtomicAdd<float>();
                   DataCopy(m.target(), ub(0), 64);
                   SetAtomicNone();
                 },
                 kBlocks2),
             "race.waw");
}

TEST(Race, AnAtomicCopyHidesNoPlainOne) {
  Arrays m;
  const auto sum = [&](bool meet) {
    if (GetBlockIdx() == 0) DataCopy(m.target(), ub(0), 64);
    PipeBarrier<PIPE_ALL>();
    if (meet) SyncAll();
    SetAtomicAdd<float>();
    DataCopy(m.target(), ub(256), 64);  // block 0's own is in order, the others' are not
    SetAtomicNone();
  };
  expect_silent(findings<Race>([&] { sum(true); }, kBlocks4));
  expect_one(findings<Race>([&] { sum(false); }, kBlocks4), "race.waw");
}

TEST(Race, SyncAllWaitsForTheCoresOwnPipes) {
  Arrays m;
  expect_silent(findings<Race>(
      [&] {
        DataCopy(m.target()[static_cast<uint64_t>(GetBlockIdx()) * 64], ub(0), 64);
        SyncAll();
        Duplicate(ub(0), 1.0f, 64);
      },
      kBlocks2));
  expect_one(findings<Race>(
                 [&] {
                   DataCopy(ub(0), m.source(), 64);  // MTE2 has no part in the flag
                   CrossCoreSetFlag<0, PIPE_MTE3>(3);
                   CrossCoreWaitFlag(3);
                   Duplicate(ub(0), 1.0f, 64);
                   Adds(ub(1024), ub(0), 1.0f, 64);  // reads what one of the two left
                 },
                 kBlocks2),
             "race.waw");
}

TEST(Race, WordsPastTheDataCacheOrderCores) {
  Arrays m;
  std::vector<int32_t> word(8);
  const auto hand_over = [&](bool wait) {
    if (GetBlockIdx() == 0) {
      DataCopy(m.target(), ub(0), 64);
      if (wait) {
        SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
      }
      WriteGmByPassDCache(word.data(), 1);
    } else {
      while (ReadGmByPassDCache(word.data()) == 0) continue;
      DataCopy(ub(0), m.target(), 64);
    }
  };
  expect_silent(findings<Race>([&] { hand_over(true); }, kBlocks2));
  word[0] = 0;
  expect_one(findings<Race>([&] { hand_over(false); }, kBlocks2), "race.raw");
}

TEST(Race, LinesThatAreCleanedAndInvalidated) {
  Arrays m;
  const auto body = [&](bool wait) {
    alignas(64) static int32_t words[64];
    words[0] = words[16] = 0;
    GlobalTensor<int32_t> flags;
    flags.SetGlobalBuffer(words, 64);
    const auto clean = [&](uint64_t at) {
      DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(flags[at]);
    };
    return findings<Race>(
        [&, flags]() mutable {
          const auto block = static_cast<uint64_t>(GetBlockIdx());
          if (block == 1) {
            DataCopy(m.target(), ub(0), 64);
            if (wait) {
              SetFlag<HardEvent::MTE3_S>(EVENT_ID0);
              WaitFlag<HardEvent::MTE3_S>(EVENT_ID0);
            }
            flags.SetValue(16, 1);
            clean(16);
            return;
          }
          do clean(16);
          while (flags.GetValue(16) != 1);
          DataCopy(ub(0), m.target(), 64);
        },
        kBlocks2);
  };
  expect_silent(body(true));
  expect_one(body(false), "race.raw", {"another block's DataCopy (PIPE_MTE3)"});
}

TEST(Race, TakingTurnsThroughAWorkspace) {
  Arrays m;
  std::vector<int32_t> workspace(2 * 8);
  expect_silent(findings<Race>(
      [&] {
        GlobalTensor<int32_t> gm;
        gm.SetGlobalBuffer(workspace.data(), workspace.size());
        LocalTensor<int32_t> local(TPosition::VECIN, 4096, 64);
        InitDetermineComputeWorkspace(gm, local);
        DataCopy(ub(0), m.source(), 64);
        WaitPreBlock(gm, local);
        DataCopy(m.target(), ub(0), 64);
        NotifyNextBlock(gm, local);
      },
      kBlocks2));
}

}  // namespace
