// How a core waits, for the library's own calls.
#pragma once
#include "machine/batch.h"
#include "machine/core_state.h"
#include "machine/deferral.h"
#include "machine/fault.h"
#include "machine/fiber.h"

namespace toprope {

/// wait_for (see there) inlined into its caller, for calls that must be quick: a return behind a change of
/// stack is slow (Fiber).
template <class Ready, class Missing>
[[gnu::always_inline]] inline void wait_inline(Core& core, const Ready& ready, std::string_view what,
                                               const void* site, const Missing& missing, bool polls = false) {
  if (core.watched && deferral()) [[unlikely]]
    deferral()->finish(core);
  if (ready()) return;
  CoreState& state = *core.state;
  state.waiting = {ready, what, site, missing, polls};
  if (!polls) state.batch->changed();  // it may have stored to GM what others look for there
  state.fiber->suspend();
  current_core = &core;
  if (state.aborting) [[unlikely]]
    throw KernelAbort{Fault::None, {}};
}

}  // namespace toprope
