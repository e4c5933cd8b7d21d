#include "check/init.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Init;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::ub;

TEST(Init, ReadsOfWhatNothingWrote) {
  expect_one(findings<Init>([] {
               auto t = ub(0), d = ub(1024);
               Adds(d, t, 1.0f, 64);
             }),
             "init.unwritten", {"Adds reads src, bytes 0 to 256 of UB"});
  expect_silent(findings<Init>([] {
    auto t = ub(0), d = ub(1024);
    Duplicate(t, 1.0f, 64);
    Adds(d, t, 1.0f, 64);
  }));
  expect_one(findings<Init>([] {  // one element too many
               auto t = ub(0), d = ub(1024);
               Duplicate(t, 1.0f, 63);
               Adds(d, t, 1.0f, 64);
             }),
             "init.unwritten", {"bytes 252 to 256"});
}

TEST(Init, ACopyTakesWholeBlocks) {
  std::vector<float> memory(64);
  GlobalTensor<float> out;
  out.SetGlobalBuffer(memory.data(), 64);
  expect_silent(findings<Init>([&] {
    Duplicate(ub(0), 1.0f, 1);
    DataCopy(out, ub(0), 8);
  }));
  expect_one(findings<Init>([&] {  // the second block holds nothing
               Duplicate(ub(0), 1.0f, 1);
               DataCopy(out, ub(0), 16);
             }),
             "init.unwritten", {"DataCopy reads src, bytes 32 to 64 of UB"});
}

TEST(Init, AFreedBufferStartsAnew) {
  expect_one(findings<Init>([] {
               TPipe pipe;
               TQue<TPosition::VECIN, 1> in;
               pipe.InitBuffer(in, 1, 256);
               LocalTensor<float> t = in.AllocTensor<float>();
               Duplicate(t, 1.0f, 64);
               in.FreeTensor(t);
               t = in.AllocTensor<float>();
               Adds(t, t, 1.0f, 64);
               in.FreeTensor(t);
             }),
             "init.recycled", {"the buffer was freed here"});
}

}  // namespace
