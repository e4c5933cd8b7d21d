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

TEST(Init, PaddingWithoutAValueIsRandom) {
  std::vector<float> memory(64, 1.0f);
  GlobalTensor<float> in, out;
  in.SetGlobalBuffer(memory.data(), 64);
  out.SetGlobalBuffer(memory.data(), 64);
  const auto rows = [&](bool fixed, uint8_t left, uint8_t right) {  // 2 rows of 6 floats
    DataCopyPad(ub(0), in, DataCopyExtParams(2, 24, 0, 0, 0),
                DataCopyPadExtParams<float>(fixed, left, right, 0.0f));
    PipeBarrier<PIPE_ALL>();
  };
  expect_silent(findings<Init>([&] {  // nobody looks at it
    rows(false, 0, 2);
    Adds(ub(1024), ub(0), 1.0f, 6);
  }));
  expect_silent(findings<Init>([&] {
    rows(false, 0, 2);
    DataCopy(out, ub(0), 16);
  }));
  expect_silent(findings<Init>([&] {  // the first element of each row
    rows(false, 0, 0);
    Adds(ub(1024), ub(0), 1.0f, 16);
  }));
  expect_silent(findings<Init>([&] {
    rows(true, 0, 2);
    Adds(ub(1024), ub(0), 1.0f, 16);
  }));
  expect_silent(findings<Init>([&] {
    SetPadValue(0.0f);
    rows(false, 1, 1);
    Adds(ub(1024), ub(0), 1.0f, 16);
  }));
  expect_one(findings<Init>([&] {
               rows(false, 0, 2);
               Adds(ub(1024), ub(0), 1.0f, 7);
             }),
             "init.padding", {"Adds reads src, bytes 24 to 28 of UB", "DataCopyPad padded here"});
  expect_one(findings<Init>([&] {
               rows(false, 2, 0);
               Adds(ub(1024), ub(0, 16)[8], 1.0f, 8);
             }),
             "init.padding", {"Adds reads src, bytes 32 to 40 of UB"});
  expect_one(findings<Init>([&] {
               rows(false, 1, 1);
               DataCopyPad(out, ub(0), DataCopyExtParams(1, 32, 0, 0, 0));
             }),
             "init.padding");
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
