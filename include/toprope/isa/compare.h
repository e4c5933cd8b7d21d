// Comparisons whose result is a bit an element, lowest bit first. A comparison with NaN is 0, also NE (Ascend
// C API, boundary values of vector computation). Source: Ascend C API, Compare, Compares, Compare into the
// register.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class Compare : uint8_t {
#define TOPROPE_OP(name, types) name,
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(Compare op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types) types,
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

/// Results go to dst without gaps, a repeat's 256 / element size bits after the other; dst strides do not
/// exist. Only whole repeats take part: a count is rounded down to 256 bytes, and of a repeat shape only the
/// repeat count is looked at (masks have no effect here).
void compare(Compare op, DType type, const Slice& dst, const VecOperand& src0, const VecOperand& src1,
             const VecShape& shape);

/// The same against one value.
void compare_scalar(Compare op, DType type, const Slice& dst, const VecOperand& src0, Scalar value,
                    const VecShape& shape);

/// One repeat into the CMPMASK register; bits of elements that do not take part keep their value.
void compare_to_register(Compare op, DType type, const VecOperand& src0, const VecOperand& src1,
                         const VecShape& shape);

/// CMPMASK, 16 bytes, to dst (16-byte aligned, at least 128 bytes), and from src (16-byte aligned).
void get_cmp_mask(const Slice& dst);
void set_cmp_mask(const Slice& src);

}  // namespace toprope::isa
