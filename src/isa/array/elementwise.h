// Operations on n consecutive elements in host memory: the arithmetic of the vector instructions without a
// core, for instructions that work on whole arrays (PTO). Element types go beyond dav-2201's: those of every
// documented chip. A result may start where a source starts. n may be 0; pointers need their element's
// alignment only.
#pragma once
#include <cstddef>

#include "toprope/isa/array.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/operand.h"

namespace toprope::isa::array {

/// Which source is one element that stands for all n.
enum class Spread : uint8_t { No, First, Second };
inline constexpr int kSpreads = 3;

using BinaryFunction = void (*)(void* dst, const void* a, const void* b, size_t n);
using UnaryFunction = void (*)(void* dst, const void* a, size_t n);

/// The function for these, to be called for many blocks; nullptr when the operation has no such element type.
BinaryFunction binary(Binary op, DType type, Spread spread = Spread::No);
UnaryFunction unary(Unary op, DType type);

/// dst: a byte an element, 0 or 1. With NaN every comparison is 0, NE too, as the instructions compare.
BinaryFunction compare(Compare op, DType type, Spread spread = Spread::No);

/// dst[i] = condition[i] ? a[i] : b[i], elements of 1, 2, 4 or 8 bytes; nullptr for other sizes.
using SelectFunction = void (*)(void* dst, const uint8_t* condition, const void* a, const void* b, size_t n);
SelectFunction select(size_t element, Spread spread = Spread::No);

/// n copies of the element at `value`, of 1, 2, 4 or 8 bytes.
void fill(size_t element, void* dst, const void* value, size_t n);

/// dst[i] = src[i] in another type, for every pair of types but int4b_t. To integers: rounds, then clamps;
/// NaN becomes 0. Integers to integers clamp. From float to float rounds to an integral value. dst may not
/// overlap src.
void cast(DType to, void* dst, DType from, const void* src, Round round, size_t n);

}  // namespace toprope::isa::array
