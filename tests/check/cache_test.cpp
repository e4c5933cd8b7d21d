#include "check/cache.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Cache;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;
using toprope::test::Shape;

constexpr Shape kBlocks2{2};

/// Words in GM, on a line of 64 bytes of their own.
struct Words {
  alignas(64) int32_t words[64] = {};
  GlobalTensor<int32_t> tensor() {
    GlobalTensor<int32_t> t;
    t.SetGlobalBuffer(words, 64);
    return t;
  }
};

TEST(Cache, TwoCoresOnOneLine) {
  Words m;
  const auto body = [&](uint32_t apart) {
    m.tensor().SetValue(static_cast<uint64_t>(GetBlockIdx()) * apart, 1);
  };
  expect_silent(findings<Cache>([&] { body(16); }, kBlocks2));
  expect_one(findings<Cache>([&] { body(15); }, kBlocks2), "race.line",
             {"line of 64 bytes", "the other block wrote here"});
}

TEST(Cache, AWrittenBackLineIsNobodys) {
  Words m;
  expect_silent(findings<Cache>(
      [&] {
        m.tensor().SetValue(static_cast<uint64_t>(GetBlockIdx()), 1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(m.tensor());
      },
      kBlocks2));
}

TEST(Cache, ACopyDoesNotSeeTheCache) {
  Words m;
  const auto body = [&](bool clean) {
    GlobalTensor<int32_t> t = m.tensor();
    t.SetValue(3, 1);
    if (clean) DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(t);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<int32_t> local(TPosition::VECIN, 0, 8);
    DataCopy(local, t, 8);
  };
  expect_silent(findings<Cache>([&] { body(true); }));
  expect_one(findings<Cache>([&] { body(false); }), "race.cache",
             {"DataCopy (PIPE_MTE2) reads src", "call DataCacheCleanAndInvalid"});
  expect_silent(findings<Cache>([&] {  // its own cache the core does see
    m.tensor().SetValue(3, 1);
    (void)m.tensor().GetValue(3);
  }));
}

TEST(Cache, NorDoesAnotherCore) {
  Words m;
  expect_one(findings<Cache>(
                 [&] {
                   if (GetBlockIdx() == 0) m.tensor().SetValue(3, 1);
                   SyncAll();
                   if (GetBlockIdx() == 1) (void)m.tensor().GetValue(3);
                 },
                 kBlocks2),
             "race.cache", {"GetValue (PIPE_S)", "another block's SetValue"});
}

TEST(Cache, OtherBytesOfTheLine) {
  Words m;
  expect_silent(findings<Cache>([&] {
    GlobalTensor<int32_t> t = m.tensor();
    t.SetValue(0, 1);
    PipeBarrier<PIPE_ALL>();
    LocalTensor<int32_t> local(TPosition::VECIN, 0, 8);
    DataCopy(local, t[8], 8);
  }));
}

}  // namespace
