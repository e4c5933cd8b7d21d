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

}  // namespace
