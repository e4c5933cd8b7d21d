// TPipe, TQue, TQueBind, TBuf. Expected values are the numbers of the Ascend C pages (resource management).
#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

constexpr uint32_t kUb = 192 * 1024;  // dav-2201

std::string line(int number) { return "queue_test.cpp:" + std::to_string(number); }

TEST(Queue, RoundTripKeepsTensorTagAndShape) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    ASSERT_TRUE(pipe.InitBuffer(queue, 2, 1024));
    for (int round = 0; round < 5; ++round) {
      LocalTensor<half> tensor = queue.AllocTensor<half>();
      EXPECT_EQ(tensor.GetSize(), 512u);
      EXPECT_EQ(tensor.GetPosition(), static_cast<int32_t>(TPosition::VECIN));
      tensor.SetValue(511, half(round));
      tensor.SetUserTag(round);
      const uint32_t dims[] = {16, 32};
      tensor.SetShapeInfo(ShapeInfo(2, dims));
      EXPECT_TRUE(queue.EnQue(tensor));
      LocalTensor<half> out = queue.DeQue<half>();
      EXPECT_EQ(out.GetPhyAddr(), tensor.GetPhyAddr());
      EXPECT_EQ(static_cast<float>(out.GetValue(511)), static_cast<float>(round));
      EXPECT_EQ(out.GetUserTag(), round);
      EXPECT_EQ(GetShapeSize(out.GetShapeInfo()), 512);
      queue.FreeTensor(out);
    }
  }));
}

TEST(Queue, LengthsAreRoundedUpTo32Bytes) {  // facts/cases B07: 3 queues of 20 bytes occupy 96 bytes
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> a, b;
    TQue<TPosition::VECOUT, 1> c;
    TBuf<> rest;
    pipe.InitBuffer(a, 1, 20);
    pipe.InitBuffer(b, 1, 20);
    pipe.InitBuffer(c, 1, 20);
    pipe.InitBuffer(rest, 32);
    uint8_t* base = pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECCALC));
    EXPECT_EQ(reinterpret_cast<uint8_t*>(rest.Get<float>().GetPhyAddr()) - base, 96);
    EXPECT_EQ(a.AllocTensor<float>().GetSize(), 8u);
  }));
}

TEST(Queue, DoubleBufferWithDepthOne) {  // facts/cases B15
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 2, 256);
    LocalTensor<float> first = queue.AllocTensor<float>();
    EXPECT_TRUE(queue.HasIdleBuffer());
    LocalTensor<float> second = queue.AllocTensor<float>();
    EXPECT_FALSE(queue.HasIdleBuffer());
    EXPECT_EQ(second.GetPhyAddr() - first.GetPhyAddr(), 64);
    for (int tile = 0; tile < 16; ++tile) {
      LocalTensor<float>& t = tile % 2 ? second : first;
      queue.EnQue(t);
      t = queue.DeQue<float>();
      queue.FreeTensor(t);
      t = queue.AllocTensor<float>();
    }
  }));
}

TEST(Queue, FirstInFirstOut) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECOUT, 4> queue;
    pipe.InitBuffer(queue, 5, 64);
    LocalTensor<half> t[5];
    for (auto& x : t) x = queue.AllocTensor<half>();
    EXPECT_FALSE(queue.HasTensorInQue());
    EXPECT_TRUE(queue.VacantInQue());
    for (int i : {2, 0, 3, 1}) queue.EnQue(t[i]);
    EXPECT_EQ(queue.GetTensorCountInQue(), 4);
    EXPECT_FALSE(queue.VacantInQue());
    for (int i : {2, 0, 3, 1}) EXPECT_EQ(queue.DeQue<half>().GetPhyAddr(), t[i].GetPhyAddr());
    EXPECT_EQ(queue.GetTensorCountInQue(), 0);
    for (auto& x : t) queue.FreeTensor(x);
    queue.FreeAllEvent();
  }));
}

TEST(Queue, InPlaceWithDepthZero) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<QuePosition::VECIN, 0> queue;
    pipe.InitBuffer(queue, 2, 1024);
    LocalTensor<half> a, b;
    queue.AllocTensor<half>(a);
    queue.AllocTensor<half>(b);
    half* const at_a = a.GetPhyAddr();
    queue.EnQue(a);
    queue.EnQue(b);
    queue.DeQue<half>(b);  // the tensor that is asked for, not the first
    queue.DeQue<half>(a);
    EXPECT_EQ(a.GetPhyAddr(), at_a);
    EXPECT_EQ(b.GetPhyAddr() - a.GetPhyAddr(), 512);
    queue.FreeTensor(a);
    queue.FreeTensor(b);
  }));
}

TEST(Queue, InAndOutThroughOneBuffer) {  // TQueBind with the positions given by the user
  expect_clean(launch([] {
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, 64);
    LocalTensor<half> t = queue.AllocTensor<half>();
    queue.EnQue<TPosition::GM, TPosition::VECIN, half>(t);
    t = queue.DeQue<TPosition::GM, TPosition::VECIN, half>();
    queue.EnQue<TPosition::VECOUT, TPosition::GM, half>(t);
    t = queue.DeQue<TPosition::VECOUT, TPosition::GM, half>();
    queue.FreeTensor(t);
  }));
}

TEST(Queue, PositionsLieInTheirMemories) {
  expect_clean(launch(1, 1, 0, [] {
    TPipe pipe;
    TQue<TPosition::A1, 1> a1;
    TQue<TPosition::A2, 1> a2;
    TQue<TPosition::B2, 1> b2;
    TQue<TPosition::CO1, 1> co1;
    pipe.InitBuffer(a1, 1, 512 * 1024);
    pipe.InitBuffer(a2, 1, 64 * 1024);
    pipe.InitBuffer(b2, 1, 64 * 1024);
    pipe.InitBuffer(co1, 1, 128 * 1024);
    EXPECT_EQ(a1.AllocTensor<half>().GetPosition(), static_cast<int32_t>(TPosition::A1));
    EXPECT_EQ(a2.AllocTensor<half>().GetPosition(), static_cast<int32_t>(TPosition::A2));
    EXPECT_EQ(b2.AllocTensor<half>().slice().mem, toprope::Mem::L0B);
    EXPECT_EQ(co1.AllocTensor<float>().slice().mem, toprope::Mem::L0C);
  }));
}

TEST(Queue, UbOverflowNamesTheBufferAndTheExcess) {  // facts/cases B07: 2 x 96 KiB + 32 bytes
  const int first = __LINE__ + 4;
  const auto status = launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 96 * 1024);
    TBuf<TPosition::VECCALC> one_more;
    pipe.InitBuffer(one_more, 32);
  });
  expect_refused(status, "InitBuffer: a buffer of 32 bytes on VECCALC needs 32 bytes",
                 "0 of the 196608 bytes of UB are left", "32 too many", "2 buffers of 98304 bytes on VECIN",
                 line(first), line(first + 2));
}

TEST(Queue, WholeUbFitsAndResetGivesItBack) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> queue;
    for (int i = 0; i < 2; ++i) {
      pipe.InitBuffer(queue, 1, kUb);
      EXPECT_EQ(queue.AllocTensor<uint8_t>().GetSize(), kUb);
      pipe.Reset();
    }
  }));
}

TEST(Queue, AQueueEndsWithItsPipe) {
  expect_refused(launch([] {
                   TPipe pipe;
                   TQue<TPosition::VECIN, 1> queue;
                   pipe.InitBuffer(queue, 1, 64);
                   pipe.Reset();
                   queue.AllocTensor<half>();
                 }),
                 "AllocTensor: the queue has no buffers");
  expect_refused(launch([] {
                   TPipe pipe;
                   TQue<TPosition::VECIN, 1> queue;
                   queue.AllocTensor<half>();
                 }),
                 "AllocTensor: the queue has no buffers", "pipe.InitBuffer");
}

TEST(Queue, AtMost64BuffersInAll) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 64, 32);
  }));
  expect_refused(launch([] {
                   TPipe pipe;
                   TQue<TPosition::VECIN, 1> queue;
                   TBuf<> buffer;
                   pipe.InitBuffer(queue, 64, 32);
                   pipe.InitBuffer(buffer, 32);
                 }),
                 "make 65 in this kernel, 1 more than the limit of 64");
  expect_refused(launch([] {
                   TPipe pipe;
                   TQue<TPosition::VECIN, 1> queue;
                   pipe.InitBuffer(queue, 1, 0);
                 }),
                 "the length must be greater than 0");
}

TEST(Queue, AtMost8TensorsOfAPosition) {  // facts/cases B04
  const auto status = launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue[9];
    for (auto& q : queue) pipe.InitBuffer(q, 1, 32);
    for (auto& q : queue) q.AllocTensor<half>();
  });
  expect_refused(status, "AllocTensor: 8 tensors of position VECIN are in use", "use it through offsets");
  expect_clean(launch([] {  // other positions have their own 8
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in[8];
    TQue<TPosition::VECOUT, 1> out;
    for (auto& q : in) pipe.InitBuffer(q, 1, 32);
    pipe.InitBuffer(out, 1, 32);
    for (auto& q : in) q.AllocTensor<half>();
    out.AllocTensor<half>();
  }));
}

TEST(Queue, MisuseIsNamed) {  // facts/cases B05
  const auto with = [](auto use) {
    return launch([use] {
      TPipe pipe;
      TQue<TPosition::VECIN, 1> queue;
      pipe.InitBuffer(queue, 2, 64);
      use(queue);
    });
  };
  expect_refused(with([](auto& q) { q.template DeQue<half>(); }), "DeQue: the queue is empty");
  expect_refused(with([](auto& q) {
                   for (int i = 0; i < 3; ++i) q.template AllocTensor<half>();
                 }),
                 "AllocTensor: no buffer is free: 2 in use");
  expect_refused(with([](auto& q) {
                   for (int i = 0; i < 2; ++i) q.EnQue(q.template AllocTensor<half>());
                 }),
                 "EnQue: the queue is full: depth 1");
  expect_refused(with([](auto& q) {
                   auto t = q.template AllocTensor<half>();
                   q.EnQue(t);
                   q.EnQue(t);
                 }),
                 "EnQue: the tensor is in the queue already");
  expect_refused(with([](auto& q) {
                   auto t = q.template AllocTensor<half>();
                   q.EnQue(t);
                   q.FreeTensor(t);
                 }),
                 "FreeTensor: the tensor is still in the queue", "DeQue it first");
  expect_refused(with([](auto& q) {
                   LocalTensor<half> t;
                   q.FreeTensor(t);
                 }),
                 "FreeTensor: the tensor was never allocated");
  const int freed = __LINE__ + 3;
  expect_refused(with([](auto& q) {
                   auto t = q.template AllocTensor<half>();
                   q.FreeTensor(t);
                   q.FreeTensor(t);
                 }),
                 "FreeTensor: the tensor was freed before, at", line(freed));
  expect_refused(with([](auto& q) {
                   auto t = q.template AllocTensor<half>();
                   q.FreeTensor(t);
                   q.EnQue(t);
                 }),
                 "EnQue: the tensor was freed at");
  expect_refused(with([](auto& q) {
                   q.template AllocTensor<half>();
                   q.FreeAllEvent();
                 }),
                 "FreeAllEvent: 1 of its tensors");
}

TEST(Queue, ATensorGoesBackToItsOwnQueue) {
  const auto status = launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> a, b;
    pipe.InitBuffer(a, 1, 64);
    pipe.InitBuffer(b, 1, 64);
    auto t = a.AllocTensor<half>();
    b.FreeTensor(t);
  });
  expect_refused(status, "FreeTensor: the tensor is not one of this queue's: it lies at 0 in UB",
                 "1 buffer of 64 bytes on VECIN");
}

TEST(Queue, AViewStandsForItsTensor) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, 256);
    auto t = queue.AllocTensor<float>();
    queue.EnQue(t[16]);
    auto whole = queue.DeQue<float>();
    EXPECT_EQ(whole.GetPhyAddr(), t.GetPhyAddr());
    queue.FreeTensor(whole[8]);
    EXPECT_TRUE(queue.HasIdleBuffer());
  }));
}

TEST(Queue, OnePipeAtATime) {
  expect_refused(launch([] {
                   TPipe first;
                   TPipe second;
                 }),
                 "TPipe: a second TPipe is created while the one from", "queue_test.cpp");
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> queue;
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(GetTPipePtr(), &pipe);
      pipe.InitBuffer(queue, 1, kUb);
      pipe.Destroy();
      pipe.Init();
    }
    pipe.Destroy();
    TPipe other;
    EXPECT_EQ(AscendC::GetTPipePtr(), &other);
  }));
  expect_refused(launch([] { GetTPipePtr(); }), "GetTPipePtr: this kernel has no TPipe");
}

TEST(Queue, AddressesOfTheCallersChoice) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, Std::make_tuple(0, 1024), Std::make_tuple(2048, 2048),
                    Std::make_tuple(8192, 4096));
    uint8_t* base = pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECOUT));
    const uint32_t at[] = {0, 2048, 8192}, size[] = {1024, 2048, 4096};
    for (int i = 0; i < 3; ++i) {
      auto t = queue.AllocTensor<uint8_t>();
      EXPECT_EQ(t.GetPhyAddr() - base, at[i]);
      EXPECT_EQ(t.GetSize(), size[i]);
    }
  }));
  expect_refused(launch([] {
                   TPipe pipe;
                   TQue<TPosition::VECOUT, 1> queue;
                   pipe.InitBuffer(queue, Std::make_tuple(192 * 1024 - 32, 64));
                 }),
                 "ends 32 bytes behind the end of UB");
}

TEST(Buffer, GetAndOffsets) {  // the numbers of the pages TBuf::Get and GetWithOffset
  expect_clean(launch([] {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    EXPECT_EQ(buffer.Get<int32_t>().GetSize(), 256u);
    EXPECT_EQ(buffer.Get<int32_t>(128).GetSize(), 128u);
    EXPECT_EQ(buffer.Get<int32_t>(128).GetPhyAddr(), buffer.Get<int32_t>().GetPhyAddr());
    EXPECT_EQ(buffer.GetWithOffset<int32_t>(128, 64).GetPhyAddr() - buffer.Get<int32_t>().GetPhyAddr(), 16);
  }));
  const auto with = [](auto use) {
    return launch([use] {
      TPipe pipe;
      TBuf<> buffer;
      pipe.InitBuffer(buffer, 1024);
      use(buffer);
    });
  };
  expect_refused(with([](auto& b) { b.template Get<float>(257); }), "TBuf::Get: 1028 bytes",
                 "are 4 more than the buffer has");
  expect_refused(with([](auto& b) { b.template GetWithOffset<float>(249, 32); }),
                 "are 4 more than the buffer has");
  expect_refused(with([](auto& b) { b.template GetWithOffset<float>(8, 16); }),
                 "offset of 16 bytes is not a multiple of 32");
}

TEST(Pipe, EventIds) {
  expect_clean(launch([] {
    TPipe pipe;
    for (int i = 0; i < 8; ++i) EXPECT_EQ(pipe.AllocEventID<HardEvent::V_S>(), i);
    EXPECT_EQ(pipe.AllocEventID<HardEvent::S_V>(), 0);  // each kind has its own
    pipe.ReleaseEventID<HardEvent::V_S>(3);
    EXPECT_EQ(pipe.FetchEventID(HardEvent::V_S), 3);
    EXPECT_EQ(pipe.FetchEventID<HardEvent::V_S>(), 3);  // does not take it
    EXPECT_EQ(pipe.AllocEventID<HardEvent::V_S>(), 3);
  }));
  expect_refused(launch([] {
                   TPipe pipe;
                   for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::V_S>();
                 }),
                 "AllocEventID: all 8 event ids");
  expect_refused(launch([] {
                   TPipe pipe;
                   pipe.ReleaseEventID<HardEvent::V_S>(0);
                 }),
                 "ReleaseEventID: event id 0 was not taken");
}

TEST(Pipe, StackBufferIsWhatIsLeft) {
  expect_clean(launch([] {
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 1000);
    LocalTensor<uint8_t> rest;
    EXPECT_TRUE((PopStackBuffer<uint8_t, TPosition::LCM>(rest)));
    EXPECT_EQ(rest.GetSize(), kUb - 1024);
  }));
}

}  // namespace
