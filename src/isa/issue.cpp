#include "isa/issue.h"

namespace toprope::isa {

void notify(Core& core, const Instruction& instruction, const Footprint& footprint, Site site) {
  for (Observer* observer : observers(Heard::Instruction))
    observer->on_instruction(core, instruction, footprint.accesses(), site);
}

}  // namespace toprope::isa
