// Telling observers what a core does; what nobody watches costs one branch.
#pragma once
#include <span>

#include "machine/observer.h"

namespace toprope {

/// Of every instruction and scalar access of a core that is watched: first what CheckLocalMemoryIA guards is
/// looked at, then the observers are told. Inside a high-level function the place is the kernel's call of it.
void tell_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site);

inline void tell_sync(Core& core, const SyncEvent& event, Site site) {
  if (core.watched) [[unlikely]]
    for (Observer* o : observers(Heard::Sync)) o->on_sync(core, event, site);
}

inline void tell_barrier(Core& core, Pipe pipe, Site site) {
  if (core.watched) [[unlikely]]
    for (Observer* o : observers(Heard::Barrier)) o->on_barrier(core, pipe, site);
}

}  // namespace toprope
