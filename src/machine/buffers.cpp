// TPipe and its pools: who gets which part of a local memory.
#include "machine/buffers.h"

#include <algorithm>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/queue_report.h"
#include "machine/remark.h"
#include "machine/symbolize.h"

namespace toprope {
namespace {

constexpr uint32_t kAlign = 32;

uint64_t rounded(uint64_t bytes, uint32_t to = kAlign) { return (bytes + to - 1) / to * to; }

Buffers& buffers_of(Core& c) { return c.state->buffers; }

void tell(Core& c, const Queue& q, QueueEvent::Kind kind, Site site, bool placed = false) {
  if (!c.watched) return;
  for (uint8_t i = 0; i < q.count; ++i) {
    const QueueEvent event{kind, &q, slice_of(q, q.blocks[i]), q.spec.position, q.spec.flow, placed};
    for (Observer* o : observers(Heard::Queue)) o->on_queue(c, event, site);
  }
}

void tell_all(Core& c, const Buffers& b, QueueEvent::Kind kind, Site site) {
  for (uint32_t i = 0; i < b.queues; ++i) tell(c, b.queue[i], kind, site);
}

void start(Buffers& b, Core& c, Site site) {
  tell_all(c, b, QueueEvent::Reset, site);
  for (uint32_t i = 0; i < b.queues; ++i) b.queue[i].generation = 0;
  ++b.generation;
  b.queues = b.blocks = b.pools = 0;
  b.out.fill(0);
  for (int m = 0; m < kMems; ++m) {
    b.pool[m] = Pool{};
    b.pool[m].mem = static_cast<Mem>(m);
    b.pool[m].end = c.capacity[m];
    b.pool[m].max_buffers = Buffers::kMaxBlocks;
  }
}

/// The buffers that a memory already holds, each with the line of its InitBuffer.
std::string taken(const Buffers& b, Mem mem) {
  std::string text;
  for (uint32_t i = 0; i < b.queues; ++i) {
    const Queue& q = b.queue[i];
    if (q.spec.mem == mem) text += "\n    " + describe_queue(q);
  }
  return text.empty() ? text : "; taken so far:" + text;
}

Pool& pool_at(Core& c, PoolRef ref, const char* api, Site site) {
  Buffers& b = buffers_of(c);
  if (ref.index == 0xff || ref.generation != b.generation)
    refuse(c, api, "the TBufPool was not initialised with InitBufPool since the TPipe was created or reset",
           "call pipe.InitBufPool(pool, bytes) before the pool is used", site);
  return b.pool[ref.index];
}

Queue& new_queue(Core& c, const QueueSpec& spec, uint32_t count, Site site) {
  Buffers& b = buffers_of(c);
  if (!b.tpipe)
    refuse(c, "InitBuffer", "there is no TPipe, or it was destroyed",
           "create a TPipe, or call Init() after Destroy()", site);
  if (count == 0)
    refuse(c, "InitBuffer", "the number of buffers is 0", "give 1, or 2 for double buffering", site);
  if (b.blocks + count > Buffers::kMaxBlocks)
    refuse(c, "InitBuffer",
           std::to_string(count) + " buffers on " + position_name(spec.position) + " make " +
               std::to_string(b.blocks + count) + " in this kernel, " +
               std::to_string(b.blocks + count - Buffers::kMaxBlocks) + " more than the limit of 64",
           "put several small buffers into one and use it through offsets", site);
  if (spec.mem == Mem::GM)
    refuse(c, "InitBuffer",
           std::string("position ") + position_name(spec.position) + " lies in global memory on this chip",
           "take the memory from the workspace through a GlobalTensor", site);
  Queue& q = b.queue[b.queues];
  q = Queue{};
  q.core = &c;
  q.generation = b.generation;
  q.spec = spec;
  q.blocks = &b.block[b.blocks];
  q.out = &b.out[spec.position];
  q.count = q.idle = static_cast<uint8_t>(count);
  q.site = site;
  for (uint32_t i = 0; i < count; ++i) q.blocks[i] = Block{};
  return q;
}

/// A memory has one owner: a TPipe, or one LocalMemAllocator.
Remark two_owners(const char* call, const Slice& slice, Site other) {
  return {call, "constraints.two_owners", true,
          "bytes " + std::to_string(slice.begin) + " to " + std::to_string(slice.end) + " of " +
              name_of(slice.mem) + " were given out before, at " + place_of(other),
          "let one LocalMemAllocator own a memory for the whole kernel, or the TPipe, not both"};
}

QueueRef commit(Core& c, Queue& q, bool placed) {
  Buffers& b = buffers_of(c);
  ++b.queues;
  b.blocks += q.count;
  tell(c, q, QueueEvent::Init, q.site, placed);
  const Buffers::Given& given = b.given[static_cast<int>(q.spec.mem)];
  if (given.end > q.blocks[0].begin) [[unlikely]]
    remark(c, q.site, [&] { return two_owners("InitBuffer", slice_of(q, q.blocks[0]), given.site); });
  return {&q, q.generation};
}

}  // namespace

void Buffers::clear() {
  for (uint32_t i = 0; i < queues; ++i) queue[i].generation = 0;
  ++generation;
  tpipe = nullptr;
  queues = blocks = pools = 0;
}

void open_pipe(void* tpipe) {
  Core& c = core();
  Buffers& b = buffers_of(c);
  const Site site = __builtin_return_address(0);
  if (b.tpipe && b.tpipe != tpipe)
    refuse(c, "TPipe", "a second TPipe is created while the one from " + place_of(b.tpipe_site) + " is alive",
           "a kernel has one TPipe at a time: pass a pointer to it, or call Destroy() on the first", site);
  if (b.tpipe)
    refuse(c, "TPipe::Init", "the TPipe is already initialised",
           "the constructor calls Init(); call Destroy() before another Init()", site);
  start(b, c, site);
  b.tpipe = tpipe;
  b.tpipe_site = site;
}

void reset_pipe() {
  Core& c = core();
  start(buffers_of(c), c, __builtin_return_address(0));
}

void close_pipe(void* tpipe) noexcept {
  Core* c = current_core;
  if (!c || buffers_of(*c).tpipe != tpipe) return;  // destroyed before, or the TPipe of another block
  tell_all(*c, buffers_of(*c), QueueEvent::End, __builtin_return_address(0));
  buffers_of(*c).clear();
}

void* open_pipe_object() {
  Core& c = core();
  if (!buffers_of(c).tpipe)
    refuse(c, "GetTPipePtr", "this kernel has no TPipe", "create one before: AscendC::TPipe pipe;",
           __builtin_return_address(0));
  return buffers_of(c).tpipe;
}

PoolRef root_pool(Mem mem) { return {static_cast<uint8_t>(mem), buffers_of(core()).generation}; }

PoolRef init_pool(PoolRef parent_ref, uint8_t position, Mem mem, uint32_t bytes, uint32_t max_buffers,
                  const PoolRef* shared_ref) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  Buffers& b = buffers_of(c);
  Pool& parent = pool_at(c, parent_ref, "InitBufPool", site);
  const uint64_t size = rounded(bytes);
  const std::string what = "a pool of " + std::to_string(bytes) + " bytes on " + position_name(position);
  if (!b.tpipe)
    refuse(c, "InitBufPool", "there is no TPipe, or it was destroyed", "create a TPipe first", site);
  if (b.pools == Buffers::kMaxPools)
    refuse(c, "InitBufPool", what + " is the 65th pool of this kernel", "use fewer pools", site);
  if (parent.mem != mem)
    refuse(c, "InitBufPool",
           what + " lies in " + name_of(mem) + ", the pool that it is cut from in " + name_of(parent.mem),
           "a pool and its parent must lie in the same memory", site);
  Pool pool;
  pool.mem = mem;
  pool.position = position;
  pool.max_buffers = max_buffers;
  if (shared_ref) {
    const Pool& shared = pool_at(c, *shared_ref, "InitBufPool", site);
    if (shared.mem != mem)
      refuse(c, "InitBufPool",
             what + " lies in " + name_of(mem) + ", the pool that it shares memory with in " +
                 name_of(shared.mem),
             "pools that share memory must lie in the same memory", site);
    if (size > shared.end - shared.begin)
      refuse(c, "InitBufPool",
             what + " is " + std::to_string(size - (shared.end - shared.begin)) +
                 " bytes larger than the pool of " + std::to_string(shared.end - shared.begin) +
                 " bytes that it shares memory with",
             "the new pool must not be larger", site);
    pool.begin = shared.begin;
  } else {
    if (parent.top + size > parent.end)
      refuse(c, "InitBufPool",
             what + " does not fit: " + std::to_string(parent.end - parent.top) + " bytes are left in " +
                 name_of(mem) + ", " + std::to_string(parent.top + size - parent.end) + " too few" +
                 taken(b, mem),
             "make the pool smaller, or share the memory of another pool", site);
    // The parent must have as many left, and keeps them: the public sample of subdivided pools gives a pool
    // of 4 another of 4 and then a buffer.
    if (parent.position != 0xff && parent.buffers + max_buffers > parent.max_buffers)
      refuse(c, "InitBufPool",
             what + " asks for " + std::to_string(max_buffers) + " buffers, its parent has " +
                 std::to_string(parent.max_buffers - parent.buffers) + " left",
             "raise the parent's bufIDSize (at most 16) or lower the pool's", site);
    pool.begin = parent.top;
    parent.top += static_cast<uint32_t>(size);
  }
  pool.top = pool.begin;
  pool.end = pool.begin + static_cast<uint32_t>(size);
  const uint32_t index = kMems + b.pools++;
  b.pool[index] = pool;
  return {static_cast<uint8_t>(index), b.generation};
}

void reset_pool(PoolRef ref) {
  Core& c = core();
  Buffers& b = buffers_of(c);
  const Site site = __builtin_return_address(0);
  pool_at(c, ref, "TBufPool::Reset", site);
  for (uint32_t i = 0; i < b.queues; ++i) {
    Queue& q = b.queue[i];
    if (q.pool != ref.index) continue;
    tell(c, q, QueueEvent::Reset, site);
    b.out[q.spec.position] -= static_cast<uint8_t>(q.count - q.idle);
    q.idle = q.count;
    q.queued = q.next = q.head = 0;
    for (uint8_t k = 0; k < q.count; ++k) q.blocks[k].state = Block::Free;
  }
}

QueueRef init_queue(PoolRef pool_ref, const QueueSpec& spec, uint32_t count, uint32_t bytes) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  Queue& q = new_queue(c, spec, count, site);
  Buffers& b = buffers_of(c);
  Pool& pool = pool_at(c, pool_ref, "InitBuffer", site);
  const std::string_view where = position_name(spec.position);
  const auto what = [&] {
    return (count == 1 ? "a buffer of " : std::to_string(count) + " buffers of ") + std::to_string(bytes) +
           " bytes on " + std::string(where);
  };
  const char* const s = count == 1 ? "s " : " ";
  if (bytes == 0) refuse(c, "InitBuffer", what(), "the length must be greater than 0", site);
  if (pool.mem != spec.mem)
    refuse(c, "InitBuffer",
           what() + " lie" + s + "in " + name_of(spec.mem) + ", its pool in " + name_of(pool.mem),
           "a pool serves the memory of its own position only", site);
  if (pool.position != 0xff && pool.buffers + count > pool.max_buffers)
    refuse(c, "InitBuffer",
           what() + " make" + s + std::to_string(pool.buffers + count) +
               " buffers in a TBufPool that was declared for " + std::to_string(pool.max_buffers),
           "raise bufIDSize, the pool's second template argument (default 4, at most 16)", site);
  const uint64_t size = rounded(bytes), total = size * count;
  if (pool.top + total > pool.end)
    refuse(c, "InitBuffer",
           what() + " need" + s + std::to_string(total) + " bytes, but " +
               std::to_string(pool.end - pool.top) + " of the " + std::to_string(pool.end - pool.begin) +
               " bytes of " +
               (pool.position == 0xff ? std::string(name_of(spec.mem)) : std::string("the TBufPool")) +
               " are left: " + std::to_string(pool.top + total - pool.end) + " too many" + taken(b, spec.mem),
           "use a smaller tile or fewer buffers", site);
  for (uint32_t i = 0; i < count; ++i) {
    q.blocks[i].begin = pool.top;
    pool.top += static_cast<uint32_t>(size);
    q.blocks[i].end = pool.top;
  }
  pool.buffers += count;
  q.pool = pool_ref.index;
  return commit(c, q, false);
}

QueueRef init_queue_at(const QueueSpec& spec, const BlockRange* ranges, uint32_t count) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  Queue& q = new_queue(c, spec, count, site);
  const uint32_t capacity = c.capacity[static_cast<int>(spec.mem)];
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t end = ranges[i].at + rounded(ranges[i].bytes);
    const std::string what = "the buffer of " + std::to_string(ranges[i].bytes) + " bytes at " +
                             std::to_string(ranges[i].at) + " on " + position_name(spec.position);
    if (ranges[i].at % kAlign != 0 || ranges[i].bytes == 0)
      refuse(c, "InitBuffer", what, "address must be a multiple of 32, length greater than 0", site);
    if (end > capacity)
      refuse(c, "InitBuffer",
             what + " ends " + std::to_string(end - capacity) + " bytes behind the end of " +
                 name_of(spec.mem) + " (" + std::to_string(capacity) + " bytes)",
             "address plus length must stay inside the memory", site);
    q.blocks[i].begin = ranges[i].at;
    q.blocks[i].end = static_cast<uint32_t>(end);
  }
  q.pool = static_cast<uint8_t>(spec.mem);
  return commit(c, q, true);
}

BlockRange range_of_pool(PoolRef ref) {
  const Pool& pool = pool_at(core(), ref, "InitBufPool", __builtin_return_address(0));
  return {pool.begin, pool.end - pool.begin};
}

QueueRef start_queue(const QueueSpec& spec, uint32_t count) {
  Core& c = core();
  Queue& q = new_queue(c, spec, count, __builtin_return_address(0));
  Buffers& b = buffers_of(c);
  q.pool = static_cast<uint8_t>(spec.mem);
  ++b.queues;
  b.blocks += count;
  return {&q, q.generation};
}

void place_block(QueueRef ref, PoolRef pool_ref, uint32_t index, BlockRange block) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const Pool& pool = pool_at(c, pool_ref, "InitBufHandle", site);
  const std::string what = "block " + std::to_string(index) + " of " + std::to_string(block.bytes) +
                           " bytes at " + std::to_string(block.at);
  if (!ref.queue || ref.generation == 0 || ref.queue->generation != ref.generation)
    refuse(c, "InitBufHandle", what + " belongs to a queue that was not started",
           "call InitStartBufHandle before", site);
  Queue& q = *ref.queue;
  if (index >= q.count)
    refuse(c, "InitBufHandle", what + ": the queue was started with " + std::to_string(q.count) + " blocks",
           "give InitStartBufHandle the number of blocks", site);
  if (pool.mem != q.spec.mem)
    refuse(c, "InitBufHandle",
           what + " lies in " + name_of(pool.mem) + ", its queue in " + name_of(q.spec.mem),
           "a pool serves the memory of its own position only", site);
  if (block.at % kAlign || block.bytes == 0 || block.bytes % kAlign)
    refuse(c, "InitBufHandle", what, "address and length are multiples of 32, the length is not 0", site);
  if (block.at < pool.begin || uint64_t{block.at} + block.bytes > pool.end)
    refuse(c, "InitBufHandle",
           what + " leaves its pool, which has the bytes " + std::to_string(pool.begin) + " to " +
               std::to_string(pool.end) + " of " + name_of(pool.mem),
           "start at GetCurAddr() and stay inside what InitBufPool was given", site);
  q.pool = pool_ref.index;
  q.blocks[index].begin = block.at;
  q.blocks[index].end = block.at + block.bytes;
  if (index + 1 == q.count) tell(c, q, QueueEvent::Init, q.site, true);
}

Slice allocate_local(Mem mem, uint32_t& head, uint64_t bytes) {
  Core& c = core();
  constexpr uint32_t align[kMems] = {1, 32, 32, 512, 512, 64, 64, 64};
  const uint32_t capacity = c.capacity[static_cast<int>(mem)];
  const uint64_t next = rounded(head + bytes, align[static_cast<int>(mem)]);
  if (bytes == 0 || head + bytes > capacity)
    refuse(c, "LocalMemAllocator::Alloc",
           bytes == 0 ? "a tensor of 0 elements"
                      : std::to_string(bytes) + " bytes do not fit into " + name_of(mem) + ": " +
                            std::to_string(capacity - head) + " of its " + std::to_string(capacity) +
                            " bytes are left, " + std::to_string(head + bytes - capacity) + " too few",
           "use a smaller tile", __builtin_return_address(0));
  const Slice slice{head, head, head + bytes, mem};
  const Site site = __builtin_return_address(0);
  Buffers& b = buffers_of(c);
  Buffers::Given& given = b.given[static_cast<int>(mem)];
  if (c.watched) [[unlikely]] {
    Site other = given.by != &head && given.end > slice.begin ? given.site : nullptr;
    for (uint32_t i = 0; i < b.queues && !other; ++i)
      for (uint8_t k = 0; k < b.queue[i].count && !other; ++k)
        if (const Block& block = b.queue[i].blocks[k];
            b.queue[i].spec.mem == mem && block.begin < slice.end && slice.begin < block.end)
          other = b.queue[i].site;
    if (other) remark(c, site, [&] { return two_owners("LocalMemAllocator::Alloc", slice, other); });
  }
  given = {&head, static_cast<uint32_t>(slice.end), site};
  head = static_cast<uint32_t>(std::min<uint64_t>(next, capacity));
  return slice;
}

Slice remaining_memory(Mem mem) {
  Core& c = core();
  const Pool& pool = buffers_of(c).pool[static_cast<int>(mem)];
  if (!buffers_of(c).tpipe)
    refuse(c, "PopStackBuffer", "there is no TPipe", "create a TPipe first", __builtin_return_address(0));
  return {pool.top, pool.top, pool.end, mem};
}

}  // namespace toprope
