// Queues: who holds which block, and in which order they come out. The calls here run once a tile, so the
// good case is a few compares.
#include "toprope/machine/queue.h"

#include <string>

#include "machine/buffers.h"
#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/queue_report.h"

namespace toprope {
namespace {

constexpr uint8_t kRing = 63;  // mask of Queue::ring

[[noreturn, gnu::cold, gnu::noinline]] void refuse_void(const char* api, Site site) {
  refuse(core(), api,
         "the queue has no buffers: InitBuffer was not called, or its TPipe was reset or destroyed",
         "call pipe.InitBuffer(queue, count, bytes) first", site);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_on(const Queue& q, const char* api,
                                                      const std::string& what, const char* cure, Site site) {
  refuse(*q.core, api, what + " (queue: " + describe_queue(q) + ")", cure, site);
}

inline Queue& valid(QueueRef ref, const char* api, Site site) {
  if (!ref.queue || ref.queue->generation != ref.generation || ref.generation == 0) [[unlikely]]
    refuse_void(api, site);
  return *ref.queue;
}

[[gnu::cold, gnu::noinline]] void tell(const Queue& q, QueueEvent::Kind kind, const Block& block, Flow flow,
                                       Site site) {
  const QueueEvent event{kind, &q, slice_of(q, block), q.spec.position, flow};
  for (Observer* o : observers(Heard::Queue)) o->on_queue(*q.core, event, site);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_foreign(const Queue& q, TensorKey tensor, const char* api,
                                                           Site site) {
  refuse_on(q, api,
            tensor.allocated ? "the tensor is not one of this queue's: it lies at " +
                                   std::to_string(tensor.begin) + " in " + name_of(tensor.mem)
                             : "the tensor was never allocated",
            "give a tensor back to the queue that it was allocated from", site);
}

/// The block that a tensor was cut from.
inline Block& block_of(Queue& q, TensorKey tensor, const char* api, Site site) {
  if (tensor.allocated && tensor.mem == q.spec.mem) [[likely]]
    for (uint8_t i = 0; i < q.count; ++i)
      if (tensor.begin - q.blocks[i].begin < q.blocks[i].end - q.blocks[i].begin) return q.blocks[i];
  refuse_foreign(q, tensor, api, site);
}

inline BlockRange range_of(const Block& block) { return {block.begin, block.end - block.begin}; }

[[noreturn, gnu::cold, gnu::noinline]] void refuse_alloc(const Queue& q, Site site) {
  int queued = 0;
  for (uint8_t i = 0; i < q.count; ++i) queued += q.blocks[i].state == Block::Queued;
  refuse_on(q, "AllocTensor",
            "no buffer is free: " + std::to_string(q.count - queued) + " in use, " + std::to_string(queued) +
                " waiting for DeQue",
            "free one with FreeTensor before, or raise the number of buffers in InitBuffer", site);
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_out(const Queue& q, Site site) {
  refuse_on(q, "AllocTensor",
            std::string("8 tensors of position ") + position_name(q.spec.position) +
                " are in use in all its queues together; each holds a hardware event, and there are 8: the "
                "device would "
                "hang",
            "free one before, or put several inputs into one buffer and use it through offsets", site);
}

void enqueue(Queue& q, TensorKey tensor, int32_t tag, const void* shape, Flow flow, Site site) {
  Block& block = block_of(q, tensor, "EnQue", site);
  if (block.state != Block::Out && block.state != Block::Taken) [[unlikely]]
    refuse_on(q, "EnQue",
              block.state == Block::Free
                  ? "the tensor was freed" + (block.freed ? " at " + place_of(block.freed) : "")
                  : "the tensor is in the queue already",
              "EnQue takes a tensor from AllocTensor or DeQue, once", site);
  const uint8_t most = q.spec.depth ? q.spec.depth : q.count;
  if (q.queued >= most) [[unlikely]]
    refuse_on(q, "EnQue",
              "the queue is full: depth " + std::to_string(most) + ", and " + std::to_string(q.queued) +
                  " were enqueued without a DeQue",
              "call DeQue before, or raise the depth (second template argument of TQue)", site);
  block.state = Block::Queued;
  block.tag = tag;
  block.shape = shape;
  q.ring[(q.head + q.queued++) & kRing] = static_cast<uint8_t>(&block - q.blocks);
  if (q.core->watched) [[unlikely]]
    tell(q, QueueEvent::EnQue, block, flow, site);
}

Held dequeue(Queue& q, TensorKey wanted, Flow flow, Site site) {
  if (q.queued == 0) [[unlikely]]
    refuse_on(q, "DeQue", "the queue is empty",
              "EnQue a tensor first; on the device nothing would ever arrive", site);
  uint8_t at = 0;
  if (q.spec.depth == 0 && wanted.allocated)
    for (uint8_t i = 0; i < q.queued; ++i)
      if (q.blocks[q.ring[(q.head + i) & kRing]].begin == wanted.begin) at = i;
  Block& block = q.blocks[q.ring[(q.head + at) & kRing]];
  for (; at > 0; --at) q.ring[(q.head + at) & kRing] = q.ring[(q.head + at - 1) & kRing];
  q.head = (q.head + 1) & kRing;
  --q.queued;
  block.state = Block::Taken;
  if (q.core->watched) [[unlikely]]
    tell(q, QueueEvent::DeQue, block, flow, site);
  return {range_of(block), block.tag, block.shape != nullptr};
}

}  // namespace

BlockRange alloc_tensor(QueueRef ref) {
  const Site site = __builtin_return_address(0);
  Queue& q = valid(ref, "AllocTensor", site);
  if (q.idle == 0) [[unlikely]]
    refuse_alloc(q, site);
  uint8_t& out = *q.out;
  if (out >= Buffers::kMaxOutPerPosition) [[unlikely]]
    refuse_out(q, site);
  uint8_t i = q.next;
  while (q.blocks[i].state != Block::Free) i = i + 1 == q.count ? 0 : i + 1;
  q.next = i + 1 == q.count ? 0 : i + 1;
  --q.idle;
  ++out;
  Block& block = q.blocks[i];
  block.state = Block::Out;
  if (q.core->watched) [[unlikely]]
    tell(q, QueueEvent::Alloc, block, q.spec.flow, site);
  return range_of(block);
}

void enqueue_tensor(QueueRef ref, TensorKey tensor, int32_t tag, const void* shape) {
  const Site site = __builtin_return_address(0);
  Queue& q = valid(ref, "EnQue", site);
  enqueue(q, tensor, tag, shape, q.spec.flow, site);
}

void enqueue_tensor(QueueRef ref, TensorKey tensor, int32_t tag, const void* shape, Flow flow) {
  const Site site = __builtin_return_address(0);
  enqueue(valid(ref, "EnQue", site), tensor, tag, shape, flow, site);
}

Held dequeue_tensor(QueueRef ref, TensorKey wanted) {
  const Site site = __builtin_return_address(0);
  Queue& q = valid(ref, "DeQue", site);
  return dequeue(q, wanted, q.spec.flow, site);
}

Held dequeue_tensor(QueueRef ref, Flow flow) {
  const Site site = __builtin_return_address(0);
  return dequeue(valid(ref, "DeQue", site), TensorKey{}, flow, site);
}

void free_tensor(QueueRef ref, TensorKey tensor) {
  const Site site = __builtin_return_address(0);
  Queue& q = valid(ref, "FreeTensor", site);
  Block& block = block_of(q, tensor, "FreeTensor", site);
  if (block.state == Block::Free) [[unlikely]]
    refuse_on(q, "FreeTensor",
              block.freed ? "the tensor was freed before, at " + place_of(block.freed)
                          : "the tensor was not allocated",
              "free a tensor once, after its last use", site);
  if (block.state == Block::Queued) [[unlikely]]
    refuse_on(q, "FreeTensor", "the tensor is still in the queue", "DeQue it first", site);
  block.state = Block::Free;
  block.freed = site;
  ++q.idle;
  --*q.out;
  if (q.core->watched) [[unlikely]]
    tell(q, QueueEvent::Free, block, q.spec.flow, site);
}

const void* shape_in_queue(QueueRef ref, BlockRange range) {
  const Queue& q = valid(ref, "DeQue", __builtin_return_address(0));
  for (uint8_t i = 0; i < q.count; ++i)
    if (q.blocks[i].begin == range.at) return q.blocks[i].shape;
  return nullptr;
}

int32_t tensors_in_queue(QueueRef ref) {
  return valid(ref, "GetTensorCountInQue", __builtin_return_address(0)).queued;
}

bool queue_has_room(QueueRef ref) {
  const Queue& q = valid(ref, "VacantInQue", __builtin_return_address(0));
  return q.queued < q.spec.depth;
}

bool queue_has_idle_buffer(QueueRef ref) {
  return valid(ref, "HasIdleBuffer", __builtin_return_address(0)).idle > 0;
}

void free_all_events(QueueRef ref) {
  const Site site = __builtin_return_address(0);
  const Queue& q = valid(ref, "FreeAllEvent", site);
  if (q.idle != q.count)
    refuse_on(q, "FreeAllEvent", std::to_string(q.count - q.idle) + " of its tensors are in use or enqueued",
              "free all tensors of the queue first", site);
}

BlockRange buffer_of(QueueRef ref) {
  const Queue& q = valid(ref, "TBuf::Get", __builtin_return_address(0));
  return range_of(q.blocks[0]);
}

BlockRange buffer_of(QueueRef ref, uint64_t offset, uint64_t bytes) {
  const Site site = __builtin_return_address(0);
  const Queue& q = valid(ref, "TBuf::Get", site);
  const BlockRange all = range_of(q.blocks[0]);
  if (offset % 32 != 0 || offset + bytes > all.bytes) [[unlikely]]
    refuse_on(q, "TBuf::Get",
              offset % 32 != 0
                  ? "the offset of " + std::to_string(offset) + " bytes is not a multiple of 32"
                  : std::to_string(bytes) + " bytes from offset " + std::to_string(offset) + " on are " +
                        std::to_string(offset + bytes - all.bytes) + " more than the buffer has",
              "offset plus length must stay inside what InitBuffer gave the TBuf", site);
  return {all.at + static_cast<uint32_t>(offset), static_cast<uint32_t>((bytes + 31) / 32 * 32)};
}

}  // namespace toprope
