// TPipe and what gets memory from it: TQue, TQueBind, TBuf, TBufPool.
// Source: Ascend C API, resource management.
#pragma once
#include <type_traits>

#include "basic_api/kernel_custom_pool.h"
#include "basic_api/kernel_event.h"
#include "basic_api/kernel_struct_data_copy.h"
#include "basic_api/kernel_tensor.h"
#include "toprope/isa/copy.h"
#include "toprope/machine/queue.h"
#include "toprope/machine/system.h"
#include "utils/std/tuple.h"

namespace AscendC {

/// Options of a TQue or TQueBind as its third or fourth template argument. bufferLen and bufferNumber promise
/// what InitBuffer will be given (0: no promise).
struct TQueConfig {
  bool nd2nz = false, nz2nd = false, scmBlockGroup = false;
  uint32_t bufferLen = 0, bufferNumber = 0, consumerSize = 0;
  TPosition consumer[8] = {};
  bool enableStaticEvtId = false, enableLoopQueue = false;
};

namespace detail {

/// The pipes that fill and empty a buffer on its way from one position to the next.
constexpr toprope::Flow flow_of(TPosition src, TPosition dst) {
  using toprope::Pipe;
  const auto in_ub = [](TPosition p) {
    return p == TPosition::VECIN || p == TPosition::VECOUT || p == TPosition::VECCALC;
  };
  switch (dst) {
    case TPosition::VECIN:
      return {Pipe::MTE2, Pipe::V};
    case TPosition::VECCALC:
      return {src == TPosition::GM ? Pipe::MTE2 : Pipe::V, Pipe::V};
    case TPosition::VECOUT:
      return {src == TPosition::VECCALC ? Pipe::V : Pipe::MTE2, Pipe::MTE3};
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM:
    case TPosition::C2PIPE2GM:
      return {in_ub(src) ? Pipe::MTE3 : Pipe::MTE2, Pipe::MTE1};
    case TPosition::A2:
    case TPosition::B2:
    case TPosition::C2:
      return {Pipe::MTE1, Pipe::M};
    case TPosition::CO2:
      return {Pipe::M, Pipe::FIX};
    default:
      break;
  }
  return {in_ub(src) ? Pipe::V : Pipe::FIX, Pipe::MTE3};
}

/// Where the buffers of a queue lie: at its destination, or at its source where the data leave the core from
/// there.
constexpr TPosition place_of(TPosition src, TPosition dst) {
  return dst == TPosition::GM || dst == TPosition::CO2 || dst == TPosition::VECOUT ? src : dst;
}

constexpr TPosition source_of(TPosition pos) {
  switch (pos) {
    case TPosition::VECOUT:
    case TPosition::CO1:
    case TPosition::CO2:
    case TPosition::VECCALC:
      return pos;
    case TPosition::A2:
      return TPosition::A1;
    case TPosition::B2:
      return TPosition::B1;
    case TPosition::C2:
      return TPosition::C1;
    default:
      return TPosition::GM;
  }
}

constexpr TPosition destination_of(TPosition pos) {
  switch (pos) {
    case TPosition::VECOUT:
    case TPosition::CO2:
      return TPosition::GM;
    case TPosition::CO1:
      return TPosition::CO2;
    default:
      return pos;
  }
}

template <class T>
[[gnu::always_inline]] inline uint32_t elements(uint64_t bytes) {
  return static_cast<uint32_t>(elements_in<PrimT<T>>(bytes));
}

/// The tensor over a whole block.
template <class T>
[[gnu::always_inline]] inline LocalTensor<T> tensor_over(TPosition position, toprope::BlockRange block) {
  const toprope::Slice slice{block.at, block.at, uint64_t{block.at} + block.bytes, memory_of(position)};
  return LocalTensor<T>(position, slice, elements<T>(block.bytes));
}

constexpr uint8_t number_of(TPosition position) { return static_cast<uint8_t>(position); }

}  // namespace detail

/// A queue of buffers between two positions. depth: EnQue calls without a DeQue between them; 0 for the
/// in-place forms, which work on tensors of the caller's.
template <TPosition src, TPosition dst, int32_t depth, auto mask = 0>
class TQueBind {
 public:
  TQueBind() = default;

  template <class T>
  [[gnu::always_inline]] LocalTensor<T> AllocTensor() {
    static_assert(depth != 0, "a queue of depth 0 works in place: AllocTensor<T>(tensor)");
    return detail::tensor_over<T>(position, toprope::alloc_tensor(queue_));
  }
  template <class T>
  [[gnu::always_inline]] void AllocTensor(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "AllocTensor(tensor) works in place and takes a queue of depth 0");
    tensor = detail::tensor_over<T>(position, toprope::alloc_tensor(queue_));
  }
  template <class T>
  [[gnu::always_inline]] bool EnQue(const LocalTensor<T>& tensor) {
    toprope::enqueue_tensor(queue_, toprope::key_of(tensor.slice()), tensor.GetUserTag(), tensor.shape());
    return true;
  }
  template <TPosition srcUserPos, TPosition dstUserPos, class T>
  [[gnu::always_inline]] bool EnQue(const LocalTensor<T>& tensor) {
    toprope::enqueue_tensor(queue_, toprope::key_of(tensor.slice()), tensor.GetUserTag(), tensor.shape(),
                            detail::flow_of(srcUserPos, dstUserPos));
    return true;
  }
  template <class T>
  [[gnu::always_inline]] LocalTensor<T> DeQue() {
    static_assert(depth != 0, "a queue of depth 0 works in place: DeQue<T>(tensor)");
    return taken<T>(toprope::dequeue_tensor(queue_, toprope::TensorKey{}));
  }
  template <class T>
  [[gnu::always_inline]] void DeQue(LocalTensor<T>& tensor) {
    static_assert(depth == 0, "DeQue(tensor) works in place and takes a queue of depth 0");
    tensor = taken<T>(toprope::dequeue_tensor(queue_, toprope::key_of(tensor.slice())));
  }
  template <TPosition srcUserPos, TPosition dstUserPos, class T>
  [[gnu::always_inline]] LocalTensor<T> DeQue() {
    static_assert(depth != 0, "DeQue with positions takes a queue of depth 1 or more");
    return taken<T>(toprope::dequeue_tensor(queue_, detail::flow_of(srcUserPos, dstUserPos)));
  }
  template <class T>
  [[gnu::always_inline]] void FreeTensor(const LocalTensor<T>& tensor) {
    toprope::free_tensor(queue_, toprope::key_of(tensor.slice()));
  }

  [[gnu::always_inline]] bool VacantInQue() {
    static_assert(depth != 0, "VacantInQue does not serve queues of depth 0");
    return toprope::queue_has_room(queue_);
  }
  [[gnu::always_inline]] bool HasTensorInQue() {
    static_assert(depth != 0, "HasTensorInQue does not serve queues of depth 0");
    return toprope::tensors_in_queue(queue_) != 0;
  }
  [[gnu::always_inline]] int32_t GetTensorCountInQue() {
    static_assert(depth != 0, "GetTensorCountInQue does not serve queues of depth 0");
    return toprope::tensors_in_queue(queue_);
  }
  [[gnu::always_inline]] bool HasIdleBuffer() {
    static_assert(depth != 0, "HasIdleBuffer does not serve queues of depth 0");
    return toprope::queue_has_idle_buffer(queue_);
  }
  /// For pools of the kernel's own making (EXTERN_IMPL_BUFPOOL): `num` blocks of `len` bytes, then each at
  /// its place.
  [[gnu::always_inline]] void InitStartBufHandle(TBufHandle startBufhandle, uint8_t num, uint32_t len) {
    (void)startBufhandle, (void)len;
    queue_ = toprope::start_queue(spec, num);
  }
  template <class T>
  [[gnu::always_inline]] void InitBufHandle(T* bufPool, uint32_t index, TBufHandle bufhandle,
                                            uint32_t curPoolAddr, uint32_t len) {
    (void)bufhandle;
    toprope::place_block(queue_, bufPool->toprope_pool.pool, index, {curPoolAddr, len});
  }

  [[gnu::always_inline]] void FreeAllEvent() {
    static_assert(depth != 0, "FreeAllEvent does not serve queues of depth 0");
    toprope::free_all_events(queue_);
  }

 protected:
  static_assert(depth >= 0 && depth <= 63, "the depth of a queue goes from 0 to 63");
  friend class TPipe;
  template <TPosition, uint32_t>
  friend class TBufPool;

  static constexpr TPosition position = detail::place_of(src, dst);
  static constexpr toprope::QueueSpec spec{detail::number_of(position), memory_of(position),
                                           detail::flow_of(src, dst), static_cast<uint8_t>(depth)};

  template <class T>
  [[gnu::always_inline]] LocalTensor<T> taken(toprope::Held held) const {
    LocalTensor<T> tensor = detail::tensor_over<T>(position, held.block);
    tensor.attach(held.tag, held.has_shape ? toprope::shape_in_queue(queue_, held.block) : nullptr);
    return tensor;
  }

  toprope::QueueRef queue_;
};

template <TPosition pos, int32_t depth, auto mask = 0>
class TQue : public TQueBind<detail::source_of(pos), detail::destination_of(pos), depth, mask> {};

/// A queue into the L1 memory that vector cores hand to the Matmul API; pos: where the data come from.
template <TPosition pos, int32_t depth = 1, auto mask = 0>
using TSCM = TQueBind<pos, TPosition::TSCM, depth, mask>;

/// One buffer for temporary values. Its tensors need not be freed; AllocTensor and FreeTensor are Get and
/// nothing.
template <TPosition pos = TPosition::LCM>
class TBuf : public TQueBind<pos, pos, 0, 0> {
 public:
  TBuf() = default;

  template <class T>
  [[gnu::always_inline]] LocalTensor<T> AllocTensor() {
    return Get<T>();
  }
  template <class T>
  [[gnu::always_inline]] void FreeTensor(const LocalTensor<T>&) {}
  template <class T>
  [[gnu::always_inline]] LocalTensor<T> Get() {
    return detail::tensor_over<T>(pos, toprope::buffer_of(this->queue_));
  }
  /// The first `len` elements.
  template <class T>
  [[gnu::always_inline]] LocalTensor<T> Get(uint32_t len) {
    return GetWithOffset<T>(len, 0);
  }
  /// `size` elements from byte `bufOffset` (a multiple of 32) on.
  template <class T>
  [[gnu::always_inline]] LocalTensor<T> GetWithOffset(uint32_t size, uint32_t bufOffset) {
    LocalTensor<T> tensor = detail::tensor_over<T>(
        pos, toprope::buffer_of(this->queue_, bufOffset, detail::bytes_of<PrimT<T>>(size)));
    tensor.SetSize(size);
    return tensor;
  }

 private:
  friend class TPipe;
  template <TPosition, uint32_t>
  friend class TBufPool;
  static constexpr toprope::QueueSpec spec{detail::number_of(pos), memory_of(pos), detail::flow_of(pos, pos),
                                           0};
};

inline constexpr uint32_t defaultBufIDSize = 4;

/// A part of UB or L1 of which buffers are cut; pools may share their memory. bufIDSize: buffers at most, up
/// to 16.
template <TPosition pos, uint32_t bufIDSize = defaultBufIDSize>
class TBufPool {
  static_assert(bufIDSize >= 1 && bufIDSize <= 16, "a TBufPool has 1 to 16 buffers");
  static_assert(memory_of(pos) == toprope::Mem::UB || memory_of(pos) == toprope::Mem::L1,
                "a TBufPool lies at VECIN, VECOUT, VECCALC, A1, B1 or C1");

 public:
  TBufPool() = default;

  template <TPosition p, uint32_t n>
  [[gnu::always_inline]] bool InitBufPool(TBufPool<p, n>& bufPool, uint32_t len) {
    bufPool.pool_ = toprope::init_pool(pool_, detail::number_of(p), memory_of(p), len, n, nullptr);
    return true;
  }
  /// Over the memory of shareBuf, which must be at least as long.
  template <TPosition p, uint32_t n, TPosition q, uint32_t m>
  [[gnu::always_inline]] bool InitBufPool(TBufPool<p, n>& bufPool, uint32_t len, TBufPool<q, m>& shareBuf) {
    bufPool.pool_ = toprope::init_pool(pool_, detail::number_of(p), memory_of(p), len, n, &shareBuf.pool_);
    return true;
  }
  /// A pool class of the kernel's own, with EXTERN_IMPL_BUFPOOL in it.
  template <class Custom>
  [[gnu::always_inline]] bool InitBufPool(Custom& bufPool, uint32_t len) {
    auto& own = bufPool.toprope_pool;
    constexpr TPosition p = std::remove_reference_t<decltype(own)>::position;
    own.open(toprope::init_pool(pool_, detail::number_of(p), memory_of(p), len,
                                std::remove_reference_t<decltype(own)>::buffers, nullptr));
    return true;
  }
  template <class T>
  [[gnu::always_inline]] bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    que.queue_ = toprope::init_queue(pool_, T::spec, num, len);
    return true;
  }
  template <TPosition bufPos>
  [[gnu::always_inline]] bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
    buf.queue_ = toprope::init_queue(pool_, TBuf<bufPos>::spec, 1, len);
    return true;
  }
  /// Ends the use of this pool before another that shares its memory; its buffers stay, their tensors do not.
  [[gnu::always_inline]] void Reset() { toprope::reset_pool(pool_); }

 private:
  friend class TPipe;
  template <TPosition, uint32_t>
  friend class TBufPool;
  toprope::PoolRef pool_;
};

/// Hands out the local memories and the event ids of a core. One exists at a time.
class TPipe {
 public:
  [[gnu::always_inline]] TPipe() { Init(); }
  ~TPipe() { Destroy(); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  [[gnu::always_inline]] void Init() {
    toprope::open_pipe(this);
    toprope::init_core_state();
    for (uint8_t& used : events_) used = 0;
  }
  [[gnu::always_inline]] void Destroy() { toprope::close_pipe(this); }
  [[gnu::always_inline]] void DestroyWithoutPipeAll() { toprope::close_pipe(this); }
  [[gnu::always_inline]] void Reset() {
    toprope::reset_pipe();
    for (uint8_t& used : events_) used = 0;
  }

  /// `num` buffers of `len` bytes (rounded up to 32). All buffers of a memory must fit into it, 64 in all.
  template <class T>
  [[gnu::always_inline]] bool InitBuffer(T& que, uint8_t num, uint32_t len) {
    que.queue_ = toprope::init_queue(toprope::root_pool(T::spec.mem), T::spec, num, len);
    return true;
  }
  /// Buffers at addresses of the caller's choice: tuples of start and length in bytes.
  template <class T, class U, class V, class... Addrs>
  [[gnu::always_inline]] bool InitBuffer(T& que, const Std::tuple<U, V>& addr0, const Addrs&... addrs) {
    const toprope::BlockRange blocks[] = {range(addr0), range(addrs)...};
    que.queue_ = toprope::init_queue_at(T::spec, blocks, 1 + sizeof...(Addrs));
    return true;
  }
  template <TPosition bufPos>
  [[gnu::always_inline]] bool InitBuffer(TBuf<bufPos>& buf, uint32_t len) {
    buf.queue_ = toprope::init_queue(toprope::root_pool(memory_of(bufPos)), TBuf<bufPos>::spec, 1, len);
    return true;
  }
  template <TPosition p, uint32_t n>
  [[gnu::always_inline]] bool InitBufPool(TBufPool<p, n>& bufPool, uint32_t len) {
    bufPool.pool_ = toprope::init_pool(toprope::root_pool(memory_of(p)), detail::number_of(p), memory_of(p),
                                       len, n, nullptr);
    return true;
  }
  template <TPosition p, uint32_t n, TPosition q, uint32_t m>
  [[gnu::always_inline]] bool InitBufPool(TBufPool<p, n>& bufPool, uint32_t len, TBufPool<q, m>& shareBuf) {
    bufPool.pool_ = toprope::init_pool(toprope::root_pool(memory_of(p)), detail::number_of(p), memory_of(p),
                                       len, n, &shareBuf.pool_);
    return true;
  }

  /// A pool class of the kernel's own, with EXTERN_IMPL_BUFPOOL in it.
  template <class Custom>
  [[gnu::always_inline]] bool InitBufPool(Custom& bufPool, uint32_t len) {
    auto& own = bufPool.toprope_pool;
    constexpr TPosition p = std::remove_reference_t<decltype(own)>::position;
    own.open(toprope::init_pool(toprope::root_pool(memory_of(p)), detail::number_of(p), memory_of(p), len,
                                std::remove_reference_t<decltype(own)>::buffers, nullptr));
    return true;
  }

  /// Memory for what does not fit into UB: `bufferSize` bytes of a workspace. Copies into it and out of it
  /// run on MTE3 and MTE2, with no synchronisation of their own.
  template <class T>
  [[gnu::always_inline]] void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
    spm_ = workspace.slice();
    spm_.begin = spm_.at;
    spm_.end = spm_.at + static_cast<uint64_t>(bufferSize > 0 ? bufferSize : 0);
  }
  /// Offsets count bytes, sizes elements.
  template <class T>
  [[gnu::always_inline]] void WriteSpmBuffer(const LocalTensor<T>& writeBuffer,
                                             const DataCopyParams& copyParams, int32_t writeOffset = 0) {
    toprope::isa::copy(spm(writeOffset), writeBuffer.slice(),
                       toprope::isa::BlockMove{copyParams.blockCount, copyParams.blockLen, copyParams.srcGap,
                                               copyParams.dstGap},
                       sizeof(PrimT<T>));
  }
  template <class T>
  [[gnu::always_inline]] void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const int32_t writeSize,
                                             int32_t writeOffset = 0) {
    toprope::isa::copy(spm(writeOffset), writeBuffer.slice(), detail::bytes_of<PrimT<T>>(writeSize),
                       sizeof(PrimT<T>));
  }
  template <class T>
  [[gnu::always_inline]] void ReadSpmBuffer(const LocalTensor<T>& readBuffer,
                                            const DataCopyParams& copyParams, int32_t readOffset = 0) {
    toprope::isa::copy(readBuffer.slice(), spm(readOffset),
                       toprope::isa::BlockMove{copyParams.blockCount, copyParams.blockLen, copyParams.srcGap,
                                               copyParams.dstGap},
                       sizeof(PrimT<T>));
  }
  template <class T>
  [[gnu::always_inline]] void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const int32_t readSize,
                                            int32_t readOffset = 0) {
    toprope::isa::copy(readBuffer.slice(), spm(readOffset), detail::bytes_of<PrimT<T>>(readSize),
                       sizeof(PrimT<T>));
  }

  /// An event id of this kind that nobody has, to be given back with ReleaseEventID.
  template <HardEvent evt>
  [[gnu::always_inline]] TEventID AllocEventID() {
    return toprope::take_event_id(events_[static_cast<int>(evt)]);
  }
  template <HardEvent evt>
  [[gnu::always_inline]] void ReleaseEventID(TEventID id) {
    toprope::give_event_id(events_[static_cast<int>(evt)], id);
  }
  /// An event id that is free now; it stays free.
  [[gnu::always_inline]] TEventID FetchEventID(HardEvent evt) {
    return toprope::free_event_id(events_[static_cast<int>(evt)]);
  }
  template <HardEvent evt>
  [[gnu::always_inline]] TEventID FetchEventID() {
    return FetchEventID(evt);
  }

  /// Host address of the start of a position's memory.
  uint8_t* GetBaseAddr(int8_t logicPos) {
    return toprope::host(toprope::core(), memory_of(static_cast<TPosition>(logicPos)), 0);
  }

 private:
  template <class U, class V>
  static toprope::BlockRange range(const Std::tuple<U, V>& addr) {
    return {static_cast<uint32_t>(Std::get<0>(addr)), static_cast<uint32_t>(Std::get<1>(addr))};
  }
  toprope::Slice spm(int32_t offset) const {
    toprope::Slice s = spm_;
    s.at += static_cast<uint64_t>(offset);
    return s;
  }
  uint8_t events_[static_cast<int>(HardEvent::MAX)];  ///< a bit for each id that is taken
  toprope::Slice spm_{0, 0, 0, toprope::Mem::GM};
};

/// All of a position's memory that no buffer has taken.
template <class T, TPosition pos>
[[gnu::always_inline]] inline bool PopStackBuffer(LocalTensor<T>& popLocal) {
  const toprope::Slice slice = toprope::remaining_memory(memory_of(pos));
  popLocal = LocalTensor<T>(pos, slice, detail::elements<T>(slice.end - slice.begin));
  return slice.end > slice.begin;
}

}  // namespace AscendC

/// The TPipe of the running kernel.
[[gnu::always_inline]] inline AscendC::TPipe* GetTPipePtr() {
  return static_cast<AscendC::TPipe*>(toprope::open_pipe_object());
}

namespace AscendC {
using ::GetTPipePtr;
}
