#include "toprope/lib/temporary.h"

#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"

namespace toprope::lib {

void refuse_temporary(uint64_t wanted, uint64_t left) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const Composed& composed = core.state->composed;
  refuse(
      core, composed.name ? composed.name : "high-level function",
      std::to_string(left) + " bytes of temporary memory are left, and it needs " + std::to_string(wanted) +
          " more",
      "give it a sharedTmpBuffer of at least the minimum that its Get…MinTmpSize reports, or leave as much "
      "of UB out of InitBuffer",
      site);
}

}  // namespace toprope::lib
