// Instructions on the first n elements of float pieces in UB: what the high-level functions are written in.
// Every call is one instruction of the ISA.
#pragma once
#include <span>

#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/select.h"
#include "toprope/isa/unary.h"
#include "toprope/types/half.h"

namespace toprope::lib {

class Vec {
 public:
  explicit Vec(uint32_t count) : shape_(isa::VecShape::elements(static_cast<int32_t>(count))) {}

#define TOPROPE_BINARY(name, op)                                         \
  void name(const Slice& dst, const Slice& a, const Slice& b) const {    \
    isa::binary(isa::Binary::op, DType::Float, {dst}, {a}, {b}, shape_); \
  }
  TOPROPE_BINARY(add, Add)
  TOPROPE_BINARY(sub, Sub)
  TOPROPE_BINARY(mul, Mul)
  TOPROPE_BINARY(div, Div)
  TOPROPE_BINARY(max, Max)
  TOPROPE_BINARY(min, Min)
#undef TOPROPE_BINARY

#define TOPROPE_UNARY(name, op)                                   \
  void name(const Slice& dst, const Slice& a) const {             \
    isa::unary(isa::Unary::op, DType::Float, {dst}, {a}, shape_); \
  }
  TOPROPE_UNARY(abs, Abs)
  TOPROPE_UNARY(exp, Exp)
  TOPROPE_UNARY(ln, Ln)
  TOPROPE_UNARY(sqrt, Sqrt)
  TOPROPE_UNARY(relu, Relu)
#undef TOPROPE_UNARY

#define TOPROPE_SCALAR(name, op)                                                                        \
  void name(const Slice& dst, const Slice& a, float value) const {                                      \
    isa::vector_scalar(isa::VectorScalar::op, DType::Float, {dst}, {a}, isa::scalar_of(value), shape_); \
  }
  TOPROPE_SCALAR(adds, Adds)
  TOPROPE_SCALAR(muls, Muls)
  TOPROPE_SCALAR(maxs, Maxs)
  TOPROPE_SCALAR(mins, Mins)
#undef TOPROPE_SCALAR

  void fill(const Slice& dst, float value) const {
    isa::duplicate(DType::Float, {dst}, isa::scalar_of(value), shape_);
  }
  /// The same bits in every element.
  void fill_bits(const Slice& dst, uint32_t bits) const {
    isa::duplicate(DType::UInt32, {dst}, isa::scalar_of(bits), shape_);
  }
  void round(const Slice& dst, const Slice& a, isa::Round mode) const {
    cast(DType::Float, dst, DType::Float, a, mode);
  }
  void cast(DType to, const Slice& dst, DType from, const Slice& a,
            isa::Round mode = isa::Round::None) const {
    isa::cast(to, {dst}, from, {a}, mode, shape_);
  }
  /// On the elements as integers of 32 bits.
  void shift_right(const Slice& dst, const Slice& a, uint32_t distance) const {
    isa::vector_scalar(isa::VectorScalar::ShiftRight, DType::UInt32, {dst}, {a}, isa::scalar_of(distance),
                       shape_);
  }
  void shift_left(const Slice& dst, const Slice& a, uint32_t distance) const {
    isa::vector_scalar(isa::VectorScalar::ShiftLeft, DType::UInt32, {dst}, {a}, isa::scalar_of(distance),
                       shape_);
  }
  void adds_int(const Slice& dst, const Slice& a, int32_t value) const {
    isa::vector_scalar(isa::VectorScalar::Adds, DType::Int32, {dst}, {a}, isa::scalar_of(value), shape_);
  }
  /// Bitwise on the elements' two halves.
  void bit_and(const Slice& dst, const Slice& a, const Slice& b) const {
    isa::binary(isa::Binary::And, DType::UInt16, {dst}, {a}, {b}, halfwords());
  }
  void bit_or(const Slice& dst, const Slice& a, const Slice& b) const {
    isa::binary(isa::Binary::Or, DType::UInt16, {dst}, {a}, {b}, halfwords());
  }

  // Only where the count is a multiple of 64: comparisons take whole repeats.
  void compare(const Slice& bits, const Slice& a, isa::Compare op, float value) const {
    isa::compare_scalar(op, DType::Float, bits, {a}, isa::scalar_of(value), shape_);
  }
  void compare(const Slice& bits, const Slice& a, isa::Compare op, const Slice& b) const {
    isa::compare(op, DType::Float, bits, {a}, {b}, shape_);
  }
  /// dst = bit ? yes : no.
  void select(const Slice& dst, const Slice& bits, const Slice& yes, const Slice& no) const {
    isa::select(DType::Float, {dst}, {isa::Selection::Consecutive, bits}, {yes}, {no}, shape_);
  }
  void select(const Slice& dst, const Slice& bits, const Slice& yes, float no) const {
    isa::select_scalar(DType::Float, {dst}, {isa::Selection::Consecutive, bits}, {yes}, isa::scalar_of(no),
                       shape_);
  }

  /// dst = the polynomial in z, highest coefficient first; dst is not z.
  void polynomial(const Slice& dst, const Slice& z, std::span<const float> coefficients) const {
    muls(dst, z, coefficients[0]);
    adds(dst, dst, coefficients[1]);
    for (const float c : coefficients.subspan(2)) {
      mul(dst, dst, z);
      adds(dst, dst, c);
    }
  }
  /// magnitude, with the sign bits of `sign`; `scratch` holds the mask.
  void copy_sign(const Slice& dst, const Slice& magnitude, const Slice& sign, const Slice& scratch) const {
    fill_bits(scratch, 0x80000000u);
    bit_and(scratch, scratch, sign);
    bit_or(dst, magnitude, scratch);
  }

 private:
  isa::VecShape halfwords() const { return isa::VecShape::elements(2 * shape_.count); }
  isa::VecShape shape_;
};

}  // namespace toprope::lib
