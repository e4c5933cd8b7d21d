#include "check/sync.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Sync;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::Shape;

constexpr Shape kBlocks2{2}, kMixed{2, 1, 2};

TEST(Sync, SetWithoutWait) {
  expect_one(findings<Sync>([] { SetFlag<HardEvent::MTE2_V>(EVENT_ID2); }), "sync.unwaited",
             {"SetFlag<HardEvent::MTE2_V>(2) is never waited for", "call WaitFlag<HardEvent::MTE2_V>(2)"});
  expect_silent(findings<Sync>([] {
    for (int i = 0; i < 3; ++i) {
      SetFlag<HardEvent::MTE2_V>(EVENT_ID2);
      WaitFlag<HardEvent::MTE2_V>(EVENT_ID2);
    }
  }));
}

TEST(Sync, TheLastSetOfALoopIsOneTooMany) {
  const auto body = [](bool drain) {
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    for (int i = 0; i < 4; ++i) {
      WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
      SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    }
    if (drain) WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  };
  expect_silent(findings<Sync>([&] { body(true); }));
  expect_one(findings<Sync>([&] { body(false); }), "sync.unwaited");
}

TEST(Sync, ReservedEvents) {
  const auto found = findings<Sync>([] {
    SetFlag<HardEvent::MTE2_V>(EVENT_ID6);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID6);
  });
  expect_one(found, "sync.reserved_event", {"event id 6, which is kept back"});
  EXPECT_EQ(found[0].severity, toprope::check::Severity::Warning);
  expect_one(findings<Sync>([] {
               SetFlag<HardEvent::MTE2_V>(EVENT_ID7);
               WaitFlag<HardEvent::MTE2_V>(EVENT_ID7);
             }),
             "sync.reserved_event", {"TPipe's own waits"});
}

TEST(Sync, AFlagBetweenCoresThatNobodyWaitsFor) {
  const auto found = findings<Sync>(
      [] {
        CrossCoreSetFlag<0, PIPE_MTE3>(5);
        if (GetBlockIdx() == 0) CrossCoreWaitFlag(5);
      },
      kBlocks2);
  expect_one(found, "sync.flag_left",
             {"CrossCoreSetFlag<0, PIPE_MTE3>(5) raised flag 5 of AIV 1, where nobody waited for it"});
  expect_silent(findings<Sync>(
      [] {
        CrossCoreSetFlag<0, PIPE_MTE3>(5);
        CrossCoreWaitFlag(5);
      },
      kBlocks2));
}

TEST(Sync, AFlagThatOnlySomeCoresSet) {
  expect_one(findings<Sync>(
                 [] {
                   if (GetBlockIdx() == 1) CrossCoreSetFlag<0, PIPE_MTE3>(4);
                 },
                 kBlocks2),
             "sync.flag_incomplete", {"CrossCoreSetFlag<0, PIPE_MTE3>(4) was called by AIV 1"});
}

TEST(Sync, FromTheVectorCoresToTheirCubeCore) {
  const auto body = [](int waits) {
    if ASCEND_IS_AIV
      CrossCoreSetFlag<2, PIPE_MTE3>(1);
    if ASCEND_IS_AIC
      for (int i = 0; i < waits; ++i) CrossCoreWaitFlag(1);
  };
  expect_silent(findings<Sync>([&] { body(1); }, kMixed));
  const auto found = findings<Sync>([&] { body(0); }, kMixed);
  expect_one(found, "sync.flag_left", {"raised flag 1 of AIC "});
}

TEST(Sync, IdsThatAreCutOrReserved) {
  expect_one(findings<Sync>(
                 [] {
                   CrossCoreSetFlag<0, PIPE_MTE3>(19);
                   CrossCoreWaitFlag(3);
                 },
                 kBlocks2),
             "sync.flag_range", {"so this is flag 3"});
  expect_one(findings<Sync>(
                 [] {
                   CrossCoreSetFlag<0, PIPE_MTE3>(11);
                   CrossCoreWaitFlag(11);
                   SyncAll();
                 },
                 kBlocks2),
             "sync.reserved_flag", {"flag 11", "SyncAll here"});
}

}  // namespace
