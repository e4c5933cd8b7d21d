// What an instruction is, whatever its operands.
#pragma once
#include "toprope/machine/pipe.h"

namespace toprope {

/// Static data: observers and reports keep its address.
struct Instruction {
  const char* name;  ///< as its public page spells it
  Pipe pipe;
};

}  // namespace toprope
