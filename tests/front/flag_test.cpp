// SetFlag, WaitFlag, PipeBarrier and their built-in spellings. Rules: Ascend C API, synchronisation inside a
// core.
#include "front/launch.h"
#include "machine/observer.h"

namespace {

using namespace AscendC;
using toprope::Fault;
using toprope::Pipe;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

TEST(Flag, EveryIdOfEveryPairIsItsOwn) {
  expect_clean(launch([] {
    for (int id = 0; id < 8; ++id) SetFlag<HardEvent::MTE2_V>(id);
    for (int id = 0; id < 8; ++id) SetFlag<HardEvent::V_MTE2>(id);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    for (int id = 7; id >= 0; --id) WaitFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    for (int id = 0; id < 8; ++id) WaitFlag<HardEvent::V_MTE2>(id);
  }));
}

TEST(Flag, BuiltInSpellingsAreTheSameFlags) {
  expect_clean(launch([] {
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID3);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
    TQueSync<PIPE_S, PIPE_MTE3> sync;
    sync.SetFlag(0);
    wait_flag(PIPE_S, PIPE_MTE3, EVENT_ID0);
    pipe_barrier(PIPE_ALL);
    PipeBarrier<PIPE_V>();
    DataSyncBarrier<MemDsbT::DDR>();
  }));
}

TEST(Flag, AWaitWithoutASetIsADeadlockAtOnce) {
  const int line = __LINE__ + 3;
  const auto status = launch(4, 0, 1, [] {
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(1);
  });
  expect_refused(status, Fault::Deadlock, "WaitFlag<MTE2_V>(1): no SetFlag<MTE2_V>(1) came before it",
                 "PIPE_V would wait", "set and not waited for: MTE2_V 0",
                 "flag_test.cpp:" + std::to_string(line), "block ");
}

TEST(Flag, AWaitTakesTheFlag) {
  expect_refused(launch([] {
                   SetFlag<HardEvent::V_MTE3>(2);
                   WaitFlag<HardEvent::V_MTE3>(2);
                   WaitFlag<HardEvent::V_MTE3>(2);
                 }),
                 Fault::Deadlock, "WaitFlag<V_MTE3>(2)");
}

TEST(Flag, ASecondSetIsRefused) {
  expect_refused(launch([] {
                   SetFlag<HardEvent::V_S>(0);
                   SetFlag<HardEvent::V_S>(0);
                 }),
                 "SetFlag<V_S>(0): this flag is set already");
}

TEST(Flag, IdsGoFrom0To7) {
  expect_refused(launch([] { SetFlag<HardEvent::V_S>(8); }), "SetFlag<V_S>(8): event id 8", "from 0 to 7");
  expect_refused(launch([] { WaitFlag<HardEvent::V_S>(-1); }), "WaitFlag<V_S>(-1): event id -1");
}

TEST(Flag, OnlyPipesOfTheCore) {  // tables 2 and 3 of the page
  expect_refused(launch([] { SetFlag<HardEvent::MTE1_M>(0); }), "a vector core has no PIPE_MTE1");
  expect_refused(launch(1, 1, 0, [] { SetFlag<HardEvent::MTE2_V>(0); }), "a cube core has no PIPE_V");
  expect_clean(launch(1, 1, 0, [] {
    SetFlag<HardEvent::MTE1_M>(0);
    WaitFlag<HardEvent::MTE1_M>(0);
    SetFlag<HardEvent::M_FIX>(0);
    WaitFlag<HardEvent::M_FIX>(0);
  }));
  expect_refused(launch([] { pipe_barrier(PIPE_S); }), "PipeBarrier: PIPE_S");
}

TEST(Flag, FlagsDoNotReachTheNextBlockOrLaunch) {
  expect_clean(launch(4, 0, 1, [] { SetFlag<HardEvent::MTE2_V>(0); }));
  expect_refused(launch([] { WaitFlag<HardEvent::MTE2_V>(0); }), Fault::Deadlock, "WaitFlag<MTE2_V>(0)");
}

TEST(Flag, ObserversSeeFlagsBarriersAndQueues) {
  struct Log : toprope::Observer {
    std::string text;
    void on_flag(toprope::Core&, const toprope::FlagEvent& e, toprope::Site) override {
      text += std::string(e.kind == toprope::FlagEvent::Set ? "set " : "wait ") + toprope::name_of(e.from) +
              " " + toprope::name_of(e.to) + " " + std::to_string(e.id) + "\n";
    }
    void on_barrier(toprope::Core&, Pipe pipe, toprope::Site) override {
      text += std::string("barrier ") + toprope::name_of(pipe) + "\n";
    }
    void on_queue(toprope::Core&, const toprope::QueueEvent& e, toprope::Site) override {
      constexpr const char* kinds[] = {"init", "alloc", "enque", "deque", "free", "reset", "end"};
      text += std::string(kinds[e.kind]) + " " + std::to_string(e.buffer.begin) + ".." +
              std::to_string(e.buffer.end) + " " + toprope::name_of(e.flow.from) + " " +
              toprope::name_of(e.flow.to) + "\n";
    }
  } log;
  toprope::install(&log);
  expect_clean(launch([] {
    SetFlag<HardEvent::MTE3_MTE2>(5);
    WaitFlag<HardEvent::MTE3_MTE2>(5);
    PipeBarrier<PIPE_MTE3>();
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64);
    auto t = queue.AllocTensor<half>();
    queue.EnQue(t);
    queue.FreeTensor(queue.DeQue<half>());
  }));
  toprope::uninstall(&log);
  EXPECT_EQ(log.text,
            "set PIPE_MTE3 PIPE_MTE2 5\nwait PIPE_MTE3 PIPE_MTE2 5\nbarrier PIPE_MTE3\n"
            "init 0..64 PIPE_V PIPE_MTE3\nalloc 0..64 PIPE_V PIPE_MTE3\nenque 0..64 PIPE_V PIPE_MTE3\n"
            "deque 0..64 PIPE_V PIPE_MTE3\nfree 0..64 PIPE_V PIPE_MTE3\nend 0..64 PIPE_V PIPE_MTE3\n");
}

}  // namespace
