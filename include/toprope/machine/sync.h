// Order between the pipes of a core, and between cores.
// Source: Ascend C API, synchronisation control.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"
#include "toprope/machine/pipe.h"

namespace toprope {

/// SetFlag and WaitFlag: ids 0..7 for each pair of pipes. A flag is set once and waited for once, in that
/// order.
void set_flag(Pipe from, Pipe to, int32_t id);
void wait_flag(Pipe from, Pipe to, int32_t id);

/// PipeBarrier; ALL for every pipe.
void pipe_barrier(Pipe pipe);
/// DataSyncBarrier: also orders memory for other cores.
void data_barrier();

/// CrossCoreSetFlag and CrossCoreWaitFlag. Modes: 0 all AICs or all AIVs of the launch, 1 the AIVs of a
/// block, 2 the AIC of a block and all its AIVs, 4 (dav-3510) the AIC and one AIV. Ids 0..15 (mode 4: 0..31
/// on the AIC). `scalar`: the pipe may be PIPE_S, as the C API's functions have it and CrossCoreSetFlag has
/// not.
void cross_core_set(uint8_t mode, Pipe pipe, uint16_t id, bool scalar = false);
void cross_core_wait(uint8_t mode, uint16_t id);

/// SyncAll in hardware: all AIVs, or all cores of the launch. Every block must have a core of its own.
void sync_all(bool vector_only, Pipe trigger);
/// SyncAll through GM: the first `used` AIVs (0: all). `gm`: 32 zeroed bytes an AIV; `ub`: as many.
void sync_all(const Slice& gm, const Slice& ub, int32_t used);

/// IBSet and IBWait: one flag in GM, 32 bytes each, at (blocks * event + block) * 32.
void ib_set(const Slice& gm, const Slice& ub, int32_t block, int32_t event);
void ib_wait(const Slice& gm, const Slice& ub, int32_t block, int32_t event);

/// GroupBarrier: AIVs of a group wait for those of another. `workspace`: 512 zeroed bytes of GM a waiter.
struct GroupBarrierShape {
  static constexpr uint32_t kBytesPerWaiter = 512;
  uint8_t* workspace;
  uint32_t arrivers, waiters;
};
/// The AIV `index` of its group tells the waiters, or waits until all arrivers have come as often as it
/// waits.
void group_arrive(const GroupBarrierShape& group, uint32_t index);
void group_wait(const GroupBarrierShape& group, uint32_t index);

/// InitDetermineComputeWorkspace, WaitPreBlock, NotifyNextBlock: AIVs take turns in the order of their index.
void order_init(const Slice& gm, const Slice& ub);
void order_wait(const Slice& gm, const Slice& ub);
void order_notify(const Slice& gm, const Slice& ub);

}  // namespace toprope
