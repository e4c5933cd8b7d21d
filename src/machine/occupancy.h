// Whether the blocks of a launch run at the same time on the described chip.
#pragma once
#include <string_view>

#include "machine/observer.h"

namespace toprope {

/// Refuses when the launch has more blocks than the chip has cores: the device starts the rest only when
/// others have finished, and those wait here.
void require_a_core_for_each_block(Core& core, std::string_view call, Site site);

}  // namespace toprope
