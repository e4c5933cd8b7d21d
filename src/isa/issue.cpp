#include "isa/issue.h"

#include "machine/core_state.h"
#include "machine/guard.h"

namespace toprope::isa {

void notify(Core& core, const Instruction& instruction, const Footprint& footprint, Site site) {
  if (core.state->composed.site) site = core.state->composed.site;
  if (core.state->guarded) [[unlikely]]
    check_guards(core, instruction, footprint.accesses(), site);
  for (Observer* observer : observers(Heard::Instruction))
    observer->on_instruction(core, instruction, footprint.accesses(), site);
}

}  // namespace toprope::isa
