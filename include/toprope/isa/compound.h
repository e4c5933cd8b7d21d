// Instructions that do two or three steps of others and round after each.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// MulCast: dst = Cast(src0 · src1) from half to int8_t or uint8_t (`to`). The product is rounded to half,
/// then to the nearest whole number, ties to even, within the range of `to`; NaN becomes 0. A repeat is 128
/// elements.
void mul_cast(DType to, const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
              const VecShape& shape);

/// AddDeqRelu: dst = max(0, Deq(src0 + src1)) from int32_t to half. Deq multiplies by the half in DEQSCALE
/// and rounds once, to nearest even. A repeat is 64 elements.
void add_deq_relu(const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
                  const VecShape& shape);

}  // namespace toprope::isa
