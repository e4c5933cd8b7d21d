#include "toprope/lib/integer.h"

#include <algorithm>

#include "lib/composition.h"
#include "lib/place.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/select.h"
#include "toprope/isa/unary.h"

namespace toprope::lib {
namespace {

using isa::Binary;
using isa::VecShape;
using isa::VectorScalar;

/// Instructions on the first n elements of int32_t pieces.
class Ints {
 public:
  explicit Ints(uint32_t n) : shape_(VecShape::elements(static_cast<int32_t>(n))) {}
  void binary(Binary op, const Slice& dst, const Slice& a, const Slice& b) const {
    isa::binary(op, DType::Int32, {dst}, {a}, {b}, shape_);
  }
  void scalar(VectorScalar op, const Slice& dst, const Slice& a, int32_t value) const {
    isa::vector_scalar(op, DType::Int32, {dst}, {a}, isa::scalar_of(value), shape_);
  }
  void shift_right(const Slice& dst, const Slice& a, uint32_t distance) const {
    isa::vector_scalar(VectorScalar::ShiftRight, DType::UInt32, {dst}, {a}, isa::scalar_of(distance), shape_);
  }
  void fill(const Slice& dst, int32_t value) const {
    isa::duplicate(DType::Int32, {dst}, isa::scalar_of(value), shape_);
  }
  /// dst = a == value ? 1 : 0.
  void equals(const Slice& dst, const Slice& a, int32_t value, const Slice& ones, const Slice& bits) const {
    isa::compare_scalar(isa::Compare::EQ, DType::Int32, bits, {a}, isa::scalar_of(value), shape_);
    isa::select_scalar(DType::Float, {dst}, {isa::Selection::Consecutive, bits}, {ones}, isa::scalar_of(0.0f),
                       shape_);
  }

 private:
  VecShape shape_;
};

}  // namespace

void power_int(const Slice& dst, const Slice& base, const Slice& exponent, const ScalarSource& scalar,
               const Temporary& temporary, uint32_t count) {
  const Composition composition("Power", __builtin_return_address(0));
  const uint32_t step = temporary.elements(kPowerIntBytes, count);
  Temporary memory = temporary;
  Slice t[6];
  for (Slice& piece : t) piece = memory.take(uint64_t{step} * 4);
  const Slice &b = t[0], &e = t[1], &result = t[2], &factor = t[3], &ones = t[4], &keep = t[5];
  for (uint32_t done = 0; done < count; done += step) {
    const uint32_t n = std::min(step, count - done);
    const Ints v((n + 63) / 64 * 64), used(n);
    v.fill(b, scalar.index == 0 ? scalar.value : 1);
    v.fill(e, scalar.index == 1 ? scalar.value : 1);
    if (scalar.index != 0) used.scalar(VectorScalar::Adds, b, advance(base, uint64_t{done} * 4), 0);
    if (scalar.index != 1) used.scalar(VectorScalar::Adds, e, advance(exponent, uint64_t{done} * 4), 0);
    v.fill(ones, 1);

    // keep = 1 - negative · (1 - (|b| is 1)).
    v.equals(keep, b, 1, ones, factor);
    v.equals(result, b, -1, ones, factor);
    v.binary(Binary::Add, keep, keep, result);
    v.scalar(VectorScalar::Adds, keep, keep, -1);
    v.shift_right(factor, e, 31);
    v.binary(Binary::Mul, keep, keep, factor);
    v.scalar(VectorScalar::Adds, keep, keep, 1);

    // A factor b^(2^i) for each bit of the exponent.
    v.fill(result, 1);
    const uint32_t bits = scalar.index == 1 ? static_cast<uint32_t>(scalar.value) : ~uint32_t{0};
    for (uint32_t rest = bits; rest != 0; rest >>= 1) {
      if (scalar.index == 1) {
        if (rest & 1) v.binary(Binary::Mul, result, result, b);
      } else {
        // The lowest bit is e - 2 (e >> 1).
        v.shift_right(factor, e, 1);
        v.binary(Binary::Sub, e, e, factor);
        v.binary(Binary::Sub, e, e, factor);
        v.scalar(VectorScalar::Adds, ones, b, -1);
        v.binary(Binary::Mul, ones, ones, e);
        v.scalar(VectorScalar::Adds, ones, ones, 1);
        v.binary(Binary::Mul, result, result, ones);
        v.scalar(VectorScalar::Adds, e, factor, 0);
      }
      v.binary(Binary::Mul, b, b, b);
    }
    used.binary(Binary::Mul, advance(dst, uint64_t{done} * 4), result, keep);
  }
}

void bitwise_xor(DType type, const Slice& dst, const Slice& src0, const Slice& src1,
                 const Temporary& temporary, uint32_t count) {
  // (a | b) & ~(a & b).
  const Composition composition("Xor", __builtin_return_address(0));
  const uint32_t step = temporary.elements(kXorBytes, count);
  Temporary memory = temporary;
  const Slice both = memory.take(uint64_t{step} * 2);
  for (uint32_t done = 0; done < count; done += step) {
    const VecShape shape = VecShape::elements(static_cast<int32_t>(std::min(step, count - done)));
    const Slice to = advance(dst, uint64_t{done} * 2), a = advance(src0, uint64_t{done} * 2),
                b = advance(src1, uint64_t{done} * 2);
    isa::binary(Binary::And, type, {both}, {a}, {b}, shape);
    isa::unary(isa::Unary::Not, type, {both}, {both}, shape);
    isa::binary(Binary::Or, type, {to}, {a}, {b}, shape);
    isa::binary(Binary::And, type, {to}, {to}, {both}, shape);
  }
}

}  // namespace toprope::lib
