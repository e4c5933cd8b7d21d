// The guards of a core's UB: looked at where instructions are told to observers.
#pragma once
#include <span>

#include "machine/observer.h"

namespace toprope {

/// Ends the block when one of `accesses` meets a guard of the core.
void check_guards(Core& core, const Instruction& instruction, std::span<const Access> accesses, Site site);

}  // namespace toprope
