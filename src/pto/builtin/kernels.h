// What the functions of the built-in instructions share: operands by position, block temporaries.
#pragma once
#include <stdexcept>
#include <string>

#include "isa/array/elementwise.h"
#include "pto/dtype.h"
#include "pto/insn.hpp"

namespace pto::builtin {

namespace array = toprope::isa::array;

inline size_t count(const Tensor& t) { return static_cast<size_t>(t.elements); }
inline toprope::DType type_of(const Tensor& t) { return isa_type(t.dtype); }

/// An attribute as one element.
struct Element {
  alignas(8) uint8_t bytes[8];
  Element(pto_dtype type, const Value& value) { pto_block_constant(type, bytes, value); }
};

/// A temporary of one block, and a walk over n elements block by block: f(first byte of each operand's block,
/// elements).
inline constexpr size_t kBlock = 1024;

template <class F>
void in_blocks(size_t n, F&& f) {
  for (size_t i = 0; i < n; i += kBlock) f(i, n - i < kBlock ? n - i : kBlock);
}

inline const uint8_t* at(const Tensor& t, size_t element) {
  return static_cast<const uint8_t*>(t.data) + element * size_of(t.dtype);
}
inline uint8_t* out(const Tensor& t, size_t element) {
  return static_cast<uint8_t*>(t.data) + element * size_of(t.dtype);
}

}  // namespace pto::builtin
