// Synchronisation between the pipes of a core, and between cores.
// Source: Ascend C API, synchronisation control.
#pragma once
#include "basic_api/kernel_event.h"
#include "basic_api/kernel_tensor.h"

namespace AscendC {

/// Ids 0 to 7; every SetFlag is followed by one WaitFlag of the same event and id.
template <HardEvent event>
[[gnu::always_inline]] inline void SetFlag(int32_t eventID) {
  constexpr toprope::Flow flow = detail::flow_of(event);
  toprope::set_flag(flow.from, flow.to, eventID);
}

template <HardEvent event>
[[gnu::always_inline]] inline void WaitFlag(int32_t eventID) {
  constexpr toprope::Flow flow = detail::flow_of(event);
  toprope::wait_flag(flow.from, flow.to, eventID);
}

/// SetFlag and WaitFlag between two pipes given as template arguments.
template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  [[gnu::always_inline]] void SetFlag(TEventID id) {
    toprope::set_flag(detail::pipe_of(src), detail::pipe_of(dst), id);
  }
  [[gnu::always_inline]] void WaitFlag(TEventID id) {
    toprope::wait_flag(detail::pipe_of(src), detail::pipe_of(dst), id);
  }
};

template <pipe_t pipe>
[[gnu::always_inline]] inline void PipeBarrier() {
  static_assert(pipe != PIPE_S, "PipeBarrier does not take PIPE_S: the scalar pipe is in order by itself");
  toprope::pipe_barrier(detail::pipe_of(pipe));
}

enum class MemDsbT : uint8_t { ALL, DDR, UB, SEQ };

/// Waits for earlier accesses of the scalar pipe; they are then visible to other cores.
template <MemDsbT arg0>
[[gnu::always_inline]] inline void DataSyncBarrier() {
  toprope::data_barrier();
}

/// modeId 0: all AICs or all AIVs; 1: the AIVs of a block; 2: the AIC and the AIVs of a block; 4 (dav-3510):
/// the AIC and one AIV. flagId 0 to 15 (mode 4 on the AIC: to 31).
template <uint8_t modeId, pipe_t pipe>
[[gnu::always_inline]] inline void CrossCoreSetFlag(uint16_t flagId) {
  toprope::cross_core_set(modeId, detail::pipe_of(pipe), flagId);
}

template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
[[gnu::always_inline]] inline void CrossCoreWaitFlag(uint16_t flagId) {
  toprope::cross_core_wait(modeId, flagId);
}

struct SyncAllConfig {
  pipe_t triggerPipe;
  pipe_t waitPipe;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};

/// All vector cores (isAIVOnly), or all cores of a mixed kernel, meet.
template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
[[gnu::always_inline]] inline void SyncAll() {
  static_assert(
      (config.triggerPipe == PIPE_MTE2 || config.triggerPipe == PIPE_MTE3 ||
       config.triggerPipe == PIPE_ALL) &&
          (config.waitPipe == PIPE_MTE2 || config.waitPipe == PIPE_MTE3 || config.waitPipe == PIPE_ALL),
      "SyncAll takes PIPE_MTE2, PIPE_MTE3 or PIPE_ALL");
  toprope::sync_all(isAIVOnly, detail::pipe_of(config.triggerPipe));
}

/// The first usedCores vector cores (0: all) meet, through zeroed GM. Both workspaces: 32 bytes a core.
template <bool isAIVOnly = true>
[[gnu::always_inline]] inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace,
                                           const LocalTensor<int32_t>& ubWorkspace,
                                           const int32_t usedCores = 0) {
  static_assert(isAIVOnly, "SyncAll through workspaces works between vector cores only");
  toprope::sync_all(gmWorkspace.slice(), ubWorkspace.slice(), usedCores);
}

/// Tells the core that calls IBWait with the same workspace, blockIdx and eventID to go on. gmWorkspace:
/// zeroed, 32 bytes * (cores * eventID + blockIdx + 1); ubWorkspace: 32 bytes.
template <bool isAIVOnly = true>
[[gnu::always_inline]] inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace,
                                         const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
                                         int32_t eventID) {
  toprope::ib_set(gmWorkspace.slice(), ubWorkspace.slice(), blockIdx, eventID);
}

template <bool isAIVOnly = true>
[[gnu::always_inline]] inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace,
                                          const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx,
                                          int32_t eventID) {
  toprope::ib_wait(gmWorkspace.slice(), ubWorkspace.slice(), blockIdx, eventID);
}

/// What tells the group; GroupBarrier takes MTE3_MODE only.
enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/// The waitSizeIn AIVs of one group wait until all arriveSizeIn AIVs of another have arrived; both may come
/// again. groupWorkspace: 512 zeroed bytes a waiter, at a multiple of 512 bytes. The device takes the last
/// 1,600 bytes of UB for it. Source: Ascend C API, GroupBarrier.
template <PipeMode pipeMode>
class GroupBarrier {
  static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier takes PipeMode::MTE3_MODE");

 public:
  GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : shape_{groupWorkspace, arriveSizeIn, waitSizeIn} {}
  [[gnu::always_inline]] void Arrive(uint32_t arriveIndex) { toprope::group_arrive(shape_, arriveIndex); }
  [[gnu::always_inline]] void Wait(uint32_t waitIndex) { toprope::group_wait(shape_, waitIndex); }
  uint64_t GetWorkspaceLen() {
    return uint64_t{shape_.waiters} * toprope::GroupBarrierShape::kBytesPerWaiter;
  }

 private:
  toprope::GroupBarrierShape shape_;
};

}  // namespace AscendC
