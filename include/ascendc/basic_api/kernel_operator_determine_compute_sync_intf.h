// Vector cores that take turns in the order of their index, for results that do not depend on timing.
// Source: Ascend C API, InitDetermineComputeWorkspace, WaitPreBlock, NotifyNextBlock.
#pragma once
#include "basic_api/kernel_tensor.h"
#include "toprope/machine/sync.h"

namespace AscendC {

/// gmWorkspace: GetBlockNum() * 32 bytes of any content; ubWorkspace: 32 bytes more. Every core calls it
/// first.
[[gnu::always_inline]] inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace,
                                                                 LocalTensor<int32_t>& ubWorkspace) {
  toprope::order_init(gmWorkspace.slice(), ubWorkspace.slice());
}

[[gnu::always_inline]] inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace,
                                                LocalTensor<int32_t>& ubWorkspace) {
  toprope::order_wait(gmWorkspace.slice(), ubWorkspace.slice());
}

[[gnu::always_inline]] inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace,
                                                   LocalTensor<int32_t>& ubWorkspace) {
  toprope::order_notify(gmWorkspace.slice(), ubWorkspace.slice());
}

}  // namespace AscendC
