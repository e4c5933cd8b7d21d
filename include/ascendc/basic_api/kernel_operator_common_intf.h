// The state of a core, workspaces, and what a super kernel's parts tell each other.
// Source: Ascend C API, InitSocState; workspace; synchronisation between tasks.
#pragma once
#include "basic_api/kernel_common.h"
#include "basic_api/kernel_event.h"
#include "toprope/machine/system.h"

namespace AscendC {

/// Store atomics off, mask in normal mode with all elements. A TPipe does it; without one a kernel starts
/// with it.
[[gnu::always_inline]] inline void InitSocState() { toprope::init_core_state(); }

/// Tells the framework's functions where the workspace is that the kernel was given.
[[gnu::always_inline]] inline void SetSysWorkspace(GM_ADDR workspace) {
  toprope::set_system_workspace(workspace);
}
[[gnu::always_inline]] inline void SetSysWorkSpace(GM_ADDR workspace) {
  toprope::set_system_workspace(workspace);
}
/// The user's part of a workspace, behind the framework's 16 MiB.
[[gnu::always_inline]] inline GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  return workspace + toprope::kSystemWorkspaceBytes;
}

/// Parts of a super kernel overlap with these; in a kernel launched by itself they have no effect, as
/// documented.
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
[[gnu::always_inline]] inline void SetNextTaskStart() {}
template <bool FORCE = false>
[[gnu::always_inline]] inline void WaitPreTaskEnd() {}

}  // namespace AscendC

/// The framework's part of the workspace; null before SetSysWorkspace.
[[gnu::always_inline]] inline __gm__ uint8_t* GetSysWorkSpacePtr() { return toprope::system_workspace(); }
namespace AscendC {
using ::GetSysWorkSpacePtr;
}
