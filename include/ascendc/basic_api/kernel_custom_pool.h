// Pools of the kernel's own making. Source: Ascend C API, resource management, EXTERN_IMPL_BUFPOOL.
#pragma once
#include "basic_api/kernel_common.h"
#include "toprope/machine/queue.h"

namespace AscendC {

/// A block of a pool of the kernel's own making; has no meaning beside EXTERN_IMPL_BUFPOOL.
using TBufHandle = uint8_t*;

namespace detail {

/// What EXTERN_IMPL_BUFPOOL puts into a kernel's own pool class.
template <TPosition pos, uint32_t size>
struct CustomPool {
  static constexpr TPosition position = pos;
  static constexpr uint32_t buffers = size;
  toprope::PoolRef pool;
  uint32_t address = 0;
  uint8_t used = 0;
  uint8_t handles[size] = {};

  [[gnu::always_inline]] void open(toprope::PoolRef ref) {
    pool = ref;
    address = toprope::range_of_pool(ref).at;
    used = 0;
  }
  [[gnu::always_inline]] void reset() {
    toprope::reset_pool(pool);
    open(pool);
  }
};

}  // namespace detail

}  // namespace AscendC

/// Makes a class a pool: its InitBuffer functions place the blocks of queues with InitStartBufHandle and
/// InitBufHandle. GetCurAddr() is the first free byte, GetCurBufSize() the number of blocks, both kept by the
/// class.
#define EXTERN_IMPL_BUFPOOL(EXT_BUFPOOL, POSITION, BUFID_SIZE)               \
 public:                                                                     \
  void Init() { toprope_pool = {}; }                                         \
  [[gnu::always_inline]] void Reset() { toprope_pool.reset(); }              \
  AscendC::TBufHandle GetBufHandle(uint8_t offset) {                         \
    return offset < (BUFID_SIZE) ? toprope_pool.handles + offset : nullptr;  \
  }                                                                          \
  void SetCurAddr(uint32_t curAddr) { toprope_pool.address = curAddr; }      \
  uint32_t GetCurAddr() { return toprope_pool.address; }                     \
  void SetCurBufSize(uint8_t curBufSize) { toprope_pool.used = curBufSize; } \
  uint8_t GetCurBufSize() { return toprope_pool.used; }                      \
  AscendC::detail::CustomPool<POSITION, BUFID_SIZE> toprope_pool
