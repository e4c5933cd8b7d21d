// TBufPool and LocalMemAllocator.
#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

/// Offset of a tensor in its memory.
template <class T>
uint64_t at(const LocalTensor<T>& t) {
  return t.slice().at;
}

TEST(Pool, PoolsThatShareMemory) {  // the example of the page TPipe::InitBufPool
  expect_clean(launch([] {
    constexpr uint32_t size = 1024;
    TPipe pipe;
    TBufPool<TPosition::VECCALC> first, second;
    pipe.InitBufPool(first, size * 3);
    pipe.InitBufPool(second, size * 3, first);
    TQue<TPosition::VECIN, 1> a, b, c;
    TQue<TPosition::VECOUT, 1> d;
    first.InitBuffer(a, 1, size);
    first.InitBuffer(b, 1, size);
    EXPECT_EQ(at(a.AllocTensor<half>()), 0u);
    EXPECT_EQ(at(b.AllocTensor<half>()), size);
    first.Reset();
    second.InitBuffer(c, 1, size);
    second.InitBuffer(d, 1, size * 2);
    EXPECT_EQ(at(c.AllocTensor<half>()), 0u);
    EXPECT_EQ(at(d.AllocTensor<half>()), size);
    second.Reset();
    EXPECT_EQ(at(a.AllocTensor<half>()), 0u);  // the first pool's queues are there to be used again
  }));
}

TEST(Pool, APoolInAPoolTakesNoneOfItsBuffers) {  // the public sample tbufpool_management, scenario 2
  expect_clean(launch([] {
    TPipe pipe;
    TBufPool<TPosition::VECCALC> outer, inner;
    TQue<TPosition::VECIN, 1> of_outer, of_inner;
    pipe.InitBufPool(outer, 1024);
    outer.InitBufPool(inner, 512);
    outer.InitBuffer(of_outer, 4, 128);
    inner.InitBuffer(of_inner, 4, 128);
    EXPECT_EQ(at(of_outer.AllocTensor<half>()), 512u);
    EXPECT_EQ(at(of_inner.AllocTensor<half>()), 0u);
  }));
}

TEST(Pool, PoolsInPools) {  // the example of the page TBufPool::InitBufPool
  expect_clean(launch([] {
    constexpr uint32_t size = 4096;
    TPipe pipe;
    TBufPool<TPosition::VECCALC, 16> outer;
    TBufPool<TPosition::VECCALC, 8> left, right;
    TQue<TPosition::VECIN, 1> q0, q1, q2;
    pipe.InitBufPool(outer, size * 4);
    outer.InitBufPool(left, size * 2);
    outer.InitBuffer(q0, 1, size * 2);
    outer.InitBufPool(right, size * 2, left);
    left.InitBuffer(q1, 1, size);
    right.InitBuffer(q2, 1, size);
    EXPECT_EQ(at(q0.AllocTensor<half>()), size * 2);
    EXPECT_EQ(at(q1.AllocTensor<half>()), 0u);
    EXPECT_EQ(at(q2.AllocTensor<half>()), 0u);
  }));
}

TEST(Pool, LimitsAreNamed) {
  const auto with = [](auto use) {
    return launch([use] {
      TPipe pipe;
      TBufPool<TPosition::VECCALC> pool;
      pipe.InitBufPool(pool, 1024);
      use(pipe, pool);
    });
  };
  expect_refused(with([](auto&, auto& pool) {
                   TBuf<> b;
                   pool.InitBuffer(b, 1025);
                 }),
                 "a buffer of 1025 bytes on VECCALC needs 1056 bytes, but 1024 of the 1024 bytes of the "
                 "TBufPool are left: 32 too many");
  expect_refused(with([](auto&, auto& pool) {
                   TQue<TPosition::VECIN, 1> q;
                   pool.InitBuffer(q, 5, 32);
                 }),
                 "make 5 buffers in a TBufPool that was declared for 4");
  expect_refused(with([](auto&, auto& pool) {
                   TQue<TPosition::A1, 1> q;
                   pool.InitBuffer(q, 1, 32);
                 }),
                 "lies in L1, its pool in UB");
  expect_refused(with([](auto& pipe, auto& pool) {
                   TBufPool<TPosition::VECCALC> larger;
                   pipe.InitBufPool(larger, 1056, pool);
                 }),
                 "is 32 bytes larger than the pool of 1024 bytes");
  expect_refused(with([](auto& pipe, auto&) {
                   TBufPool<TPosition::VECIN> huge;
                   pipe.InitBufPool(huge, 192 * 1024);
                 }),
                 "does not fit", "1024 too few");
  expect_refused(with([](auto&, auto& pool) {
                   TBufPool<TPosition::VECCALC, 5> many;
                   pool.InitBufPool(many, 64);
                 }),
                 "asks for 5 buffers, its parent has 4 left");
  expect_refused(with([](auto&, auto&) {
                   TBufPool<TPosition::VECCALC> never;
                   TBuf<> b;
                   never.InitBuffer(b, 32);
                 }),
                 "InitBuffer: the TBufPool was not initialised");
}

TEST(Allocator, OneBehindTheOther) {
  expect_clean(launch([] {
    LocalMemAllocator<Hardware::UB> ub;
    EXPECT_EQ(ub.GetCurAddr(), 0u);
    EXPECT_EQ(at(ub.Alloc<float, 1024>()), 0u);
    EXPECT_EQ(ub.GetCurAddr(), 4096u);
    EXPECT_EQ(at((ub.Alloc<TPosition::VECIN, half, 17>())), 4096u);
    EXPECT_EQ(ub.GetCurAddr(), 4096u + 64u);  // 34 bytes, the next tensor 32-byte aligned
    EXPECT_EQ(at(ub.Alloc<half>(16)), 4096u + 64u);
    LocalTensor<int32_t> t = ub.Alloc<TPosition::VECOUT, int32_t>(8);
    EXPECT_EQ(t.GetSize(), 8u);
    EXPECT_EQ(t.GetPosition(), static_cast<int32_t>(TPosition::VECOUT));
  }));
  expect_clean(launch(1, 1, 0, [] {
    LocalMemAllocator<Hardware::L1> l1;
    LocalMemAllocator<Hardware::L0C> l0c;
    EXPECT_EQ(l1.Alloc<half>(16).GetPosition(), static_cast<int32_t>(TPosition::A1));
    EXPECT_EQ(l0c.Alloc<float>(32 * 1024).slice().mem, toprope::Mem::L0C);
  }));
  expect_refused(launch([] {
                   LocalMemAllocator<> ub;
                   ub.Alloc<float, 48 * 1024>();
                   ub.Alloc<half>(16);
                 }),
                 "LocalMemAllocator::Alloc: 32 bytes do not fit into UB",
                 "0 of its 196608 bytes are left, 32 too few");
}

/// The example of the page EXTERN_IMPL_BUFPOOL.
class OwnPool {
 public:
  OwnPool() { Init(); }
  template <class T>
  bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    len = (len + 31) / 32 * 32;
    const auto handle = GetBufHandle(GetCurBufSize());
    const uint32_t from = GetCurAddr();
    que.InitStartBufHandle(handle, num, len);
    for (uint8_t i = 0; i < num; ++i) que.InitBufHandle(this, i, handle, from + i * len, len);
    SetCurAddr(from + num * len);
    SetCurBufSize(static_cast<uint8_t>(GetCurBufSize() + num));
    return true;
  }
  EXTERN_IMPL_BUFPOOL(OwnPool, AscendC::TPosition::VECCALC, 16);
};

TEST(OwnPool, PlacesItsQueuesAndBuffers) {
  expect_clean(launch([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 1> before, q;
    TBuf<TPosition::VECCALC> b;
    OwnPool pool;
    pipe.InitBuffer(before, 1, 64);
    pipe.InitBufPool(pool, 4096);
    EXPECT_EQ(pool.GetCurAddr(), 64u);
    pool.InitBuffer(q, 2, 1000);
    pool.InitBuffer(b, 1, 512);
    EXPECT_EQ(pool.GetCurAddr(), 64u + 2 * 1024 + 512);
    EXPECT_EQ(pool.GetCurBufSize(), 3);
    EXPECT_NE(pool.GetBufHandle(0), pool.GetBufHandle(1));
    auto first = q.AllocTensor<half>(), second = q.AllocTensor<half>();
    EXPECT_EQ(at(first), 64u);
    EXPECT_EQ(at(second), 64u + 1024);
    EXPECT_EQ(at(b.Get<half>()), 64u + 2048);
    EXPECT_EQ(b.Get<half>().GetSize(), 256u);
    pool.Reset();
    EXPECT_EQ(pool.GetCurAddr(), 64u);
    EXPECT_EQ(pool.GetCurBufSize(), 0);
    TQue<TPosition::VECIN, 1> again;
    pool.InitBuffer(again, 1, 96);
    EXPECT_EQ(at(again.AllocTensor<half>()), 64u);
  }));
}

TEST(OwnPool, Limits) {
  const auto with = [](auto use) {
    return launch([&] {
      TPipe pipe;
      OwnPool pool;
      TQue<TPosition::VECIN, 1> q;
      pipe.InitBufPool(pool, 1024);
      use(pool, q);
    });
  };
  expect_refused(with([](auto& pool, auto& q) { pool.InitBuffer(q, 2, 1024); }),
                 "block 1 of 1024 bytes at 1024 leaves its pool");
  expect_refused(with([](auto& pool, auto& q) {
                   q.InitStartBufHandle(nullptr, 1, 32);
                   q.InitBufHandle(&pool, 1, nullptr, 0, 32);
                 }),
                 "the queue was started with 1 blocks");
  expect_refused(with([](auto& pool, auto& q) { q.InitBufHandle(&pool, 0, nullptr, 0, 32); }),
                 "belongs to a queue that was not started");
  expect_refused(with([](auto& pool, auto& q) {
                   q.InitStartBufHandle(nullptr, 1, 32);
                   q.InitBufHandle(&pool, 0, nullptr, 8, 32);
                 }),
                 "address and length are multiples of 32");
}

TEST(SpmBuffer, KeepsWhatDoesNotFit) {
  std::vector<half> memory(1024, half(-1));
  expect_clean(launch([&] {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 2048);
    auto t = buffer.Get<half>();
    GlobalTensor<half> workspace;
    workspace.SetGlobalBuffer(memory.data(), memory.size());
    pipe.InitSpmBuffer(workspace[256], 512);
    for (int i = 0; i < 1024; ++i) t.SetValue(i, half(static_cast<float>(i)));
    pipe.WriteSpmBuffer(t, 32, 32);                               // 32 elements, 32 bytes further
    pipe.WriteSpmBuffer(t[64], DataCopyParams(2, 1, 1, 1), 128);  // two blocks, one between them
    pipe.ReadSpmBuffer(t[512], 16, 64);
    pipe.ReadSpmBuffer(t[768], DataCopyParams(2, 1, 1, 0), 128);
    EXPECT_EQ(static_cast<float>(t.GetValue(512)), 16.0f);
    EXPECT_EQ(static_cast<float>(t.GetValue(768)), 64.0f);
    EXPECT_EQ(static_cast<float>(t.GetValue(784)), 96.0f);
  }));
  EXPECT_EQ(static_cast<float>(memory[256 + 16]), 0.0f);
  EXPECT_EQ(static_cast<float>(memory[256 + 47]), 31.0f);
  EXPECT_EQ(static_cast<float>(memory[256 + 48]), -1.0f);
  EXPECT_EQ(static_cast<float>(memory[256 + 64]), 64.0f);
  EXPECT_EQ(static_cast<float>(memory[256 + 80]), -1.0f);
  expect_refused(launch([&] {
                   TPipe pipe;
                   TBuf<TPosition::VECCALC> buffer;
                   pipe.InitBuffer(buffer, 2048);
                   GlobalTensor<half> workspace;
                   workspace.SetGlobalBuffer(memory.data(), memory.size());
                   pipe.InitSpmBuffer(workspace, 512);
                   pipe.WriteSpmBuffer(buffer.Get<half>(), 256, 32);
                 }),
                 "dst ends 32 bytes past its tensor");
}

}  // namespace
