#include "machine/tell.h"

#include "machine/core_state.h"
#include "machine/guard.h"

namespace toprope {

void tell_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) {
  if (core.state->composed.site) site = core.state->composed.site;
  if (core.state->guarded) [[unlikely]]
    check_guards(core, instruction, accesses, site);
  for (Observer* o : observers(Heard::Instruction)) o->on_instruction(core, instruction, accesses, site);
}

}  // namespace toprope
