// Vector instructions with two sources: dst[i] = op(src0[i], src1[i]).
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class Binary : uint16_t {
#define TOPROPE_OP(name, types) name,
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(Binary op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types) types,
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

/// Runs the instruction on the calling thread's core. `type` must be in types_of(op). Operands lie in UB,
/// 32-byte aligned; dst may be the same as a source. A count or repeat of 0 does nothing.
void binary(Binary op, DType type, const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
            const VecShape& shape);

}  // namespace toprope::isa
