// Vector instructions that read their destination too: dst[i] = op(dst[i], src0[i], src1[i]), and Axpy, whose
// second source is a scalar.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class Ternary : uint16_t {
#define TOPROPE_OP(name, same, half_sources) name,
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
  kCount
};

/// Whether the instruction takes a destination of type `to` and sources of type `from`.
constexpr bool takes(Ternary op, DType to, DType from) {
  using namespace types;
  constexpr struct {
    DTypeSet same, half_sources;
  } sets[] = {
#define TOPROPE_OP(name, same, half_sources) {same, half_sources},
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
  };
  const auto& s = sets[static_cast<int>(op)];
  return to == from ? contains(s.same, to) : from == DType::Half && contains(s.half_sources, to);
}

/// The same for Axpy.
constexpr bool axpy_takes(DType to, DType from) { return takes(Ternary::MulAddDst, to, from); }

/// Runs the instruction on the calling thread's core; takes(op, to, from) must hold. Operands lie in UB,
/// 32-byte aligned. Each product and each sum is rounded to the type of dst: the boundary tables name the
/// product of the largest values infinite before the sum. With half sources of a float dst a repeat is 64
/// elements, and dst must share no bytes with a source. A count or repeat of 0 does nothing.
void ternary(Ternary op, DType to, DType from, const VecOperand& dst, const VecOperand& src0,
             const VecOperand& src1, const VecShape& shape);

/// dst[i] = scalar · src[i] + dst[i], rounded as above; `scalar` is of type `from`.
void axpy(DType to, DType from, const VecOperand& dst, const VecOperand& src, Scalar scalar,
          const VecShape& shape);

}  // namespace toprope::isa
