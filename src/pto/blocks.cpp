// The operations that custom instructions compute with: the instruction set's own, by element type.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "isa/array/elementwise.h"
#include "isa/array/layout.h"
#include "isa/array/matmul.h"
#include "isa/array/reduce.h"
#include "pto/dtype.h"
#include "pto/insn.hpp"

namespace array = toprope::isa::array;

namespace pto {
namespace {

constexpr array::Binary isa(Binary op) {
  constexpr array::Binary ops[] = {
      array::Binary::Add, array::Binary::Sub, array::Binary::Mul,  array::Binary::Div, array::Binary::Max,
      array::Binary::Min, array::Binary::Rem, array::Binary::Fmod, array::Binary::Pow, array::Binary::And,
      array::Binary::Or,  array::Binary::Xor, array::Binary::Shl,  array::Binary::Shr};
  return ops[static_cast<int>(op)];
}

constexpr array::Unary isa(Unary op) {
  constexpr array::Unary ops[] = {array::Unary::Abs,        array::Unary::Neg,  array::Unary::Exp,
                                  array::Unary::Ln,         array::Unary::Sqrt, array::Unary::Rsqrt,
                                  array::Unary::Reciprocal, array::Unary::Relu, array::Unary::Sigmoid,
                                  array::Unary::Tanh,       array::Unary::Not};
  return ops[static_cast<int>(op)];
}

constexpr toprope::isa::Compare isa(Compare op) {
  using C = toprope::isa::Compare;
  constexpr C ops[] = {C::EQ, C::NE, C::LT, C::GT, C::GE, C::LE};
  return ops[static_cast<int>(op)];
}

constexpr array::Reduce isa(Reduce op) { return static_cast<array::Reduce>(op); }
constexpr array::Spread isa(Spread s) { return static_cast<array::Spread>(s); }
constexpr toprope::isa::Round isa(Round r) { return static_cast<toprope::isa::Round>(r); }
static_assert(static_cast<int>(Reduce::Min) == static_cast<int>(array::Reduce::Min));
static_assert(static_cast<int>(Spread::Second) == static_cast<int>(array::Spread::Second));
static_assert(static_cast<int>(Round::Odd) == static_cast<int>(toprope::isa::Round::Odd));

toprope::DType type_of(pto_dtype type) {
  if (!known(type)) throw std::invalid_argument(fmt::format("{} is no element type", static_cast<int>(type)));
  return isa_type(type);
}

template <class F>
F* present(F* function, const char* operation, pto_dtype type) {
  if (!function)
    throw std::invalid_argument(fmt::format("{} does not take {} elements", operation, pto_dtype_name(type)));
  return function;
}

}  // namespace

void pto_block_binary(Binary op, pto_dtype type, void* dst, const void* a, const void* b, size_t n,
                      Spread spread) {
  constexpr const char* names[] = {"add",  "sub", "mul", "div", "max", "min", "rem",
                                   "fmod", "pow", "and", "or",  "xor", "shl", "shr"};
  if (type == PTO_BOOL && (op < Binary::And || op > Binary::Xor) && op != Binary::Max && op != Binary::Min)
    present<void()>(nullptr, names[static_cast<int>(op)], type);
  present(array::binary(isa(op), type_of(type), isa(spread)), names[static_cast<int>(op)], type)(dst, a, b,
                                                                                                 n);
}

void pto_block_unary(Unary op, pto_dtype type, void* dst, const void* a, size_t n) {
  constexpr const char* names[] = {"abs",   "neg",  "exp",     "log",  "sqrt", "rsqrt",
                                   "recip", "relu", "sigmoid", "tanh", "not"};
  if (type == PTO_BOOL) {
    if (op != Unary::Not) present<void()>(nullptr, names[static_cast<int>(op)], type);
    const uint8_t one = 1;  // not ~: a bool has one bit
    return array::binary(array::Binary::Xor, toprope::DType::UInt8, array::Spread::Second)(dst, a, &one, n);
  }
  present(array::unary(isa(op), type_of(type)), names[static_cast<int>(op)], type)(dst, a, n);
}

void pto_block_compare(Compare op, pto_dtype type, void* dst, const void* a, const void* b, size_t n,
                       Spread spread) {
  array::compare(isa(op), type_of(type), isa(spread))(dst, a, b, n);
}

void pto_block_select(size_t size, void* dst, const void* condition, const void* a, const void* b, size_t n,
                      Spread spread) {
  const array::SelectFunction select = array::select(size, isa(spread));
  if (!select) throw std::invalid_argument("elements have 1, 2, 4 or 8 bytes");
  select(dst, static_cast<const uint8_t*>(condition), a, b, n);
}

void pto_block_cast(pto_dtype to, void* dst, pto_dtype from, const void* src, Round round, size_t n) {
  if (to == PTO_BOOL && from != PTO_BOOL) {
    // NaN is not 0, though no comparison with it holds: what does not equal 0 is the inverse of what does.
    alignas(8) const uint8_t zero[8] = {};
    const uint8_t one = 1;
    array::compare(toprope::isa::Compare::EQ, type_of(from), array::Spread::Second)(dst, src, zero, n);
    return array::binary(array::Binary::Xor, toprope::DType::UInt8, array::Spread::Second)(dst, dst, &one, n);
  }
  array::cast(type_of(to), dst, type_of(from), src, isa(round), n);
}

void pto_block_fill(size_t size, void* dst, const void* value, size_t n) {
  if (!array::select(size)) throw std::invalid_argument("elements have 1, 2, 4 or 8 bytes");
  array::fill(size, dst, value, n);
}

void pto_block_constant(pto_dtype type, void* dst, Value value) {
  using toprope::DType;
  const DType to = type_of(type);
  if (type == PTO_BOOL) {
    const uint8_t b = value.f != 0;
    std::memcpy(dst, &b, 1);
  } else if (type < PTO_FLOAT16) {
    // An attribute is a whole number here; of a plain double beyond int64_t, the clamped one.
    const int64_t whole = static_cast<double>(value.i) == std::trunc(value.f) ? value.i
                          : value.f >= 0x1p63                                 ? INT64_MAX
                          : value.f < -0x1p63                                 ? INT64_MIN
                          : value.f != value.f                                ? 0
                                                                              : static_cast<int64_t>(value.f);
    array::cast(to, dst, DType::Int64, &whole, toprope::isa::Round::Rint, 1);
  } else {
    // From double to a narrow type in one rounding: to an odd float first.
    float f = static_cast<float>(value.f);
    if (type != PTO_FLOAT32 && std::isfinite(f) && static_cast<double>(f) != value.f) {
      uint32_t bits;
      std::memcpy(&bits, &f, 4);
      if (!(bits & 1)) {
        f = std::nextafterf(f, value.f > static_cast<double>(f) ? INFINITY : -INFINITY);
      }
    }
    if (type == PTO_FLOAT32)
      std::memcpy(dst, &f, 4);
    else
      array::cast(to, dst, DType::Float, &f, toprope::isa::Round::Rint, 1);
  }
}

void pto_reduce(Reduce op, pto_dtype type, void* dst, const void* src, int64_t outer, int64_t n,
                int64_t inner) {
  array::reduce(isa(op), type_of(type), dst, src, outer, n, inner);
}

void pto_reduce_index(Reduce op, pto_dtype type, void* dst, const void* src, int64_t outer, int64_t n,
                      int64_t inner) {
  if (op != Reduce::Max && op != Reduce::Min)
    throw std::invalid_argument("only maxima and minima have a place");
  array::reduce_index(isa(op), type_of(type), static_cast<int32_t*>(dst), src, outer, n, inner);
}

void pto_transpose(size_t size, void* dst, const void* src, int rank, const int64_t* shape, const int* perm) {
  array::transpose(size, dst, src, rank, shape, perm);
}

void pto_gather_strided(size_t size, void* dst, const void* src, int rank, const int64_t* shape,
                        const int64_t* strides) {
  array::gather_strided(size, dst, src, rank, shape, strides);
}

void pto_matmul(pto_dtype type, pto_dtype out, void* c, const void* a, const void* b, const void* bias,
                bool accumulate, int64_t m, int64_t k, int64_t n) {
  using S = array::MatmulStart;
  array::matmul(type_of(type), type_of(out), c, a, b, bias,
                accumulate ? S::Accumulate
                : bias     ? S::Bias
                           : S::Zero,
                m, k, n);
}

}  // namespace pto
