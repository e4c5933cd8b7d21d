// The buffers of a core: its TPipe, pools, queues and their blocks.
#pragma once
#include <array>
#include <cstdint>

#include "machine/observer.h"
#include "toprope/machine/queue.h"

namespace toprope {

/// One block of memory of a queue.
struct Block {
  enum State : uint8_t { Free, Out, Queued, Taken } state = Free;  ///< Out: allocated, Taken: dequeued
  uint32_t begin = 0, end = 0;
  int32_t tag = 0;
  const void* shape = nullptr;
  Site freed = nullptr;  ///< the last FreeTensor, for the report of a second one
};

class Queue {
 public:
  Core* core = nullptr;
  uint32_t generation = 0;  ///< 0: not in use
  QueueSpec spec{};
  Block* blocks = nullptr;
  uint8_t* out = nullptr;  ///< Buffers::out of its position
  uint8_t count = 0;
  uint8_t idle = 0;    ///< blocks that are free
  uint8_t next = 0;    ///< where the search for a free block starts
  uint8_t head = 0;    ///< first of the ring
  uint8_t queued = 0;  ///< entries of the ring
  uint8_t pool = 0;
  Site site = nullptr;  ///< its InitBuffer
  std::array<uint8_t, 64> ring{};
};

struct Pool {
  Mem mem = Mem::UB;
  uint8_t position = 0xff;  ///< TPosition; none for what the TPipe hands out itself
  uint32_t begin = 0, end = 0, top = 0;
  uint32_t max_buffers = 0, buffers = 0;
};

class Buffers {
 public:
  static constexpr uint32_t kMaxBlocks = 64, kMaxPools = 64;
  static constexpr uint8_t kPositions = 18, kMaxOutPerPosition = 8;

  void* tpipe = nullptr;
  Site tpipe_site = nullptr;
  uint32_t generation = 0;  ///< of the open pipe; never goes back
  uint32_t queues = 0, blocks = 0, pools = 0;
  std::array<uint8_t, kPositions> out{};  ///< blocks of a position that are not free
  std::array<Queue, kMaxBlocks> queue;
  std::array<Block, kMaxBlocks> block;
  std::array<Pool, kMems + kMaxPools> pool;

  /// What LocalMemAllocators have given out of each memory in this block.
  struct Given {
    const void* by = nullptr;
    uint32_t end = 0;
    Site site = nullptr;
  };
  std::array<Given, kMems> given{};

  /// Forgets everything but the generation: a block of the launch starts.
  void clear();
};

}  // namespace toprope
