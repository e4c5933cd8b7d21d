#include "machine/occupancy.h"

#include <string>

#include "base/soc.h"
#include "machine/core_state.h"
#include "machine/fault.h"

namespace toprope {

uint32_t blocks_at_a_time(const Launch& l) {
  return l.cubes ? soc().aic : soc().aiv / (l.vectors ? l.vectors : 1);
}

void require_a_core_for_each_block(Core& core, std::string_view call, Site site) {
  const Launch& l = *core.state->launch;
  const uint32_t cores = blocks_at_a_time(l);
  if (l.blocks <= cores) [[likely]]
    return;
  refuse(core, call,
         std::to_string(l.blocks) + " blocks wait for each other, but " + soc().name + " runs " +
             std::to_string(cores) + " of this kernel at a time: the device would hang",
         "launch at most " + std::to_string(cores) + " blocks and loop over the rest inside the kernel",
         site);
}

}  // namespace toprope
