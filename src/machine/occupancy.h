// Whether the blocks of a launch run at the same time on the described chip.
#pragma once
#include <string_view>

#include "machine/observer.h"

namespace toprope {

/// Cores of the kind that limits how many blocks of the launch run at a time, in blocks.
uint32_t blocks_at_a_time(const Launch& launch);

/// Refuses when the launch has more blocks than the chip has cores: the device starts the rest only when
/// others have finished, and those wait here.
void require_a_core_for_each_block(Core& core, std::string_view call, Site site);

}  // namespace toprope
