#include "check/queue.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::QueueUse;
using toprope::test::Arrays;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::ub;

TEST(QueueUse, ATensorAfterItsFree) {  // facts/cases B05
  Arrays m;
  const auto body = [&](bool early) {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> t = out.AllocTensor<float>();
    Duplicate(t, 1.0f, 64);
    out.EnQue(t);
    t = out.DeQue<float>();
    if (early) out.FreeTensor(t);
    DataCopy(m.target(), t, 64);
    if (!early) out.FreeTensor(t);
  };
  expect_silent(findings<QueueUse>([&] { body(false); }));
  expect_one(findings<QueueUse>([&] { body(true); }), "queue.freed",
             {"DataCopy (PIPE_MTE3) reads src, a tensor on VECOUT that was given back", "it was freed here"});
}

TEST(QueueUse, ATensorThatIsInItsQueue) {
  Arrays m;
  const auto body = [&](bool dequeue) {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 1, 256);
    LocalTensor<float> t = in.AllocTensor<float>();
    DataCopy(t, m.source(), 64);
    in.EnQue(t);
    if (dequeue) t = in.DeQue<float>();
    Adds(ub(1024), t, 1.0f, 64);
    if (!dequeue) t = in.DeQue<float>();
    in.FreeTensor(t);
  };
  expect_silent(findings<QueueUse>([&] { body(true); }));
  expect_one(findings<QueueUse>([&] { body(false); }), "queue.enqueued",
             {"Adds (PIPE_V) reads src", "it was enqueued here", "DeQue the tensor"});
}

TEST(QueueUse, TheFillerMayReadWhatItHasEnqueued) {
  expect_silent(findings<QueueUse>([] {
    TPipe pipe;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(out, 1, 256);
    LocalTensor<float> t = out.AllocTensor<float>();
    Duplicate(t, 1.0f, 64);
    out.EnQue(t);
    Adds(ub(1024), t, 1.0f, 64);  // reads beside MTE3, which reads, too
    out.FreeTensor(out.DeQue<float>());
  }));
}

TEST(QueueUse, TensorsThatAreNotFreed) {
  const auto found = findings<QueueUse>([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 256);
    in.AllocTensor<float>();
  });
  expect_one(found, "queue.leak", {"a tensor on VECIN, bytes 0 to 256 of UB, is not freed"});
  EXPECT_EQ(found[0].severity, toprope::check::Severity::Warning);
  expect_one(findings<QueueUse>([] {
               TPipe pipe;
               TQue<TPosition::VECIN, 1> in;
               pipe.InitBuffer(in, 2, 256);
               in.EnQue(in.AllocTensor<float>());
             }),
             "queue.leak", {"is still in its queue"});
  expect_silent(findings<QueueUse>([] {  // Reset gives up everything
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 256);
    in.AllocTensor<float>();
    pipe.Reset();
  }));
}

TEST(QueueUse, ATensorAfterTheReset) {
  expect_one(findings<QueueUse>([] {
               TPipe pipe;
               TBuf<TPosition::VECCALC> buffer;
               pipe.InitBuffer(buffer, 256);
               LocalTensor<float> t = buffer.Get<float>();
               Duplicate(t, 1.0f, 64);
               pipe.Reset();
               Duplicate(t, 1.0f, 64);
             }),
             "queue.freed", {"whose TPipe or pool was reset", "the buffer was given up here"});
}

TEST(QueueUse, BuffersLaidOverEachOther) {
  expect_one(findings<QueueUse>([] {
               TPipe pipe;
               TQue<TPosition::VECIN, 1> in;
               TQue<TPosition::VECIN, 1> placed;
               pipe.InitBuffer(in, 2, 256);
               pipe.InitBuffer(placed, Std::make_tuple(256u, 256u));
             }),
             "queue.overlap", {"bytes 256 to 512 of UB", "the second buffer"});
}

}  // namespace
