// The built-in instructions: the table that spec/pto_instructions.tsv is made into.
#pragma once
#include <span>

#include "pto/insn.hpp"

namespace pto {

struct Builtin {
  uint32_t id;
  Insn insn;
};

std::span<const Builtin> builtin_instructions();

}  // namespace pto
