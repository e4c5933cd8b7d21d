// Vector instructions with a vector and a scalar source: dst[i] = op(src[i], scalar).
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class VectorScalar : uint16_t {
#define TOPROPE_OP(name, page, types) name,
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(VectorScalar op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, page, types) types,
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

/// Runs the instruction on the calling thread's core. `type` must be in types_of(op); `scalar` is of that
/// type. Operands lie in UB, 32-byte aligned; dst may be the same as src. A count or repeat of 0 does
/// nothing. Shifts go from 0 to the bits of the type; a distance outside is refused.
void vector_scalar(VectorScalar op, DType type, const VecOperand& dst, const VecOperand& src, Scalar scalar,
                   const VecShape& shape);

}  // namespace toprope::isa
