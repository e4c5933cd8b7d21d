// Choosing between two operands by a bit an element: 1 takes src0, 0 takes src1. Source: Ascend C API,
// Select.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// Where the bits come from.
struct Selection {
  enum Kind : uint8_t {
    SameEachRepeat,    ///< the first 256 / element size bits at `bits`, for every repeat
    Consecutive,       ///< the bits at `bits`, each repeat after the one before
    Register,          ///< CMPMASK, for every repeat
    AddressInRegister  ///< consecutive bits at the UB address in CMPMASK
  };
  Kind kind;
  Slice bits;  ///< 32-byte aligned; not looked at by the last two
};

inline constexpr DTypeSet kSelectTypes = types::F16 | types::F32;

/// dst[i] = bit[i] ? src0[i] : src1[i] for the elements that take part.
void select(DType type, const VecOperand& dst, const Selection& selection, const VecOperand& src0,
            const VecOperand& src1, const VecShape& shape);

/// dst[i] = bit[i] ? src0[i] : value.
void select_scalar(DType type, const VecOperand& dst, const Selection& selection, const VecOperand& src0,
                   Scalar value, const VecShape& shape);

}  // namespace toprope::isa
