// Blocks of local memory and the queues that hand them around: what TPipe, TQue, TBuf, TBufPool and
// LocalMemAllocator are made of. The state lives with the core; the front end holds references. Source:
// Ascend C API, resource management.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"
#include "toprope/machine/pipe.h"

namespace toprope {

class Queue;

/// What a TQue or TBuf holds; copies name the same queue. Void until InitBuffer, and again after the pipe's
/// end.
struct QueueRef {
  Queue* queue = nullptr;
  uint32_t generation = 0;
};

/// A memory pool: a TBufPool, or (index below kMems) what the TPipe itself hands out of a memory.
struct PoolRef {
  uint8_t index = 0xff;
  uint32_t generation = 0;
};

/// The kind of queue that a front end's type stands for.
struct QueueSpec {
  uint8_t position;  ///< TPosition
  Mem mem;
  Flow flow;
  uint8_t
      depth;  ///< how often EnQue may be called without a DeQue; 0: in place, the tensors are the user's own
};

struct BlockRange {
  uint32_t at, bytes;
};

// What passes between a queue and its front end fits into registers: a Slice written here and copied there
// would stall on every call.

/// The allocation that a tensor was cut from.
struct TensorKey {
  uint32_t begin;
  Mem mem;
  bool allocated;
};

inline TensorKey key_of(const Slice& tensor) {
  return {static_cast<uint32_t>(tensor.begin), tensor.mem, tensor.end != 0};
}

/// A block that comes out of a queue, with what its user attached to the tensor.
struct Held {
  BlockRange block;
  int32_t tag;
  bool has_shape;
};

/// TPipe: takes and gives up the core's buffers. At most one is open at a time.
void open_pipe(void* tpipe);
void reset_pipe();
void close_pipe(void* tpipe) noexcept;
/// The open TPipe; faults when there is none.
void* open_pipe_object();

/// The pool that the open TPipe has for a memory.
PoolRef root_pool(Mem mem);
/// Cuts a pool of `bytes` (rounded up to 32) and at most `max_buffers` buffers out of `parent`, or lays it
/// over `shared`.
PoolRef init_pool(PoolRef parent, uint8_t position, Mem mem, uint32_t bytes, uint32_t max_buffers,
                  const PoolRef* shared);
/// TBufPool::Reset: every buffer of the pool is free again; buffers and their addresses stay.
void reset_pool(PoolRef pool);

/// InitBuffer: `count` blocks of `bytes` (rounded up to 32) each. At most 64 blocks a core in all.
QueueRef init_queue(PoolRef pool, const QueueSpec& spec, uint32_t count, uint32_t bytes);
/// InitBuffer with addresses of the caller's choice.
QueueRef init_queue_at(const QueueSpec& spec, const BlockRange* blocks, uint32_t count);

/// A pool of the kernel's own making: its part of the memory, and a queue whose blocks it places itself, one
/// after the other, inside the pool. Blocks of several queues may lie over each other.
BlockRange range_of_pool(PoolRef pool);
QueueRef start_queue(const QueueSpec& spec, uint32_t count);
void place_block(QueueRef queue, PoolRef pool, uint32_t index, BlockRange block);

/// A free block of the queue. At most 8 blocks a position are out at a time.
BlockRange alloc_tensor(QueueRef queue);
void enqueue_tensor(QueueRef queue, TensorKey tensor, int32_t tag, const void* shape);
void enqueue_tensor(QueueRef queue, TensorKey tensor, int32_t tag, const void* shape, Flow flow);
/// The tensor that was enqueued first; with depth 0 the given one when it is enqueued.
Held dequeue_tensor(QueueRef queue, TensorKey wanted);
Held dequeue_tensor(QueueRef queue, Flow flow);
void free_tensor(QueueRef queue, TensorKey tensor);
/// The shape that the tensor at `block` was enqueued with.
const void* shape_in_queue(QueueRef queue, BlockRange block);

int32_t tensors_in_queue(QueueRef queue);
bool queue_has_room(QueueRef queue);
bool queue_has_idle_buffer(QueueRef queue);
/// FreeAllEvent: nothing of the queue may be out or enqueued.
void free_all_events(QueueRef queue);

/// The whole block of a TBuf, or `bytes` of it from `offset` (a multiple of 32) on.
BlockRange buffer_of(QueueRef queue);
BlockRange buffer_of(QueueRef queue, uint64_t offset, uint64_t bytes);

/// LocalMemAllocator: takes `bytes` at `head` of a memory and moves `head` to the next aligned address.
Slice allocate_local(Mem mem, uint32_t& head, uint64_t bytes);

/// PopStackBuffer: what no InitBuffer has taken of a memory.
Slice remaining_memory(Mem mem);

}  // namespace toprope
