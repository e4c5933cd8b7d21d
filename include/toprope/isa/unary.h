// Vector instructions with one source: dst[i] = op(src[i]).
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class Unary : uint16_t {
#define TOPROPE_OP(name, types) name,
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(Unary op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types) types,
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

/// Runs the instruction on the calling thread's core. `type` must be in types_of(op). Operands lie in UB,
/// 32-byte aligned; dst may be the same as src. A count or repeat of 0 does nothing.
void unary(Unary op, DType type, const VecOperand& dst, const VecOperand& src, const VecShape& shape);

}  // namespace toprope::isa
