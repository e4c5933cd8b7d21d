// Choosing the kernel of an operation on arrays, and what needs no vectors.
#include "isa/array/elementwise.h"

#include <algorithm>
#include <bit>

#include "isa/array/elementwise_table.h"

namespace toprope::isa::array {

BinaryFunction binary(Binary op, DType type, Spread spread) {
  return static_cast<const BinaryKernels*>(array_binary_table.get())
      ->at[static_cast<int>(spread)][static_cast<int>(op)][static_cast<int>(type)];
}

UnaryFunction unary(Unary op, DType type) {
  return static_cast<const UnaryKernels*>(array_unary_table.get())
      ->at[static_cast<int>(op)][static_cast<int>(type)];
}

BinaryFunction compare(Compare op, DType type, Spread spread) {
  return static_cast<const CompareKernels*>(array_compare_table.get())
      ->at[static_cast<int>(spread)][static_cast<int>(op)][static_cast<int>(type)];
}

SelectFunction select(size_t element, Spread spread) {
  if (!std::has_single_bit(element) || element > 8) return nullptr;
  return static_cast<const CompareKernels*>(array_compare_table.get())
      ->select[static_cast<int>(spread)][std::countr_zero(element)];
}

namespace {

template <class T>
void fill_as(void* dst, const void* value, size_t n) {
  T one;
  __builtin_memcpy(&one, value, sizeof(T));
  std::fill_n(static_cast<T*>(dst), n, one);
}

}  // namespace

void fill(size_t element, void* dst, const void* value, size_t n) {
  switch (element) {
    case 1:
      return fill_as<uint8_t>(dst, value, n);
    case 2:
      return fill_as<uint16_t>(dst, value, n);
    case 4:
      return fill_as<uint32_t>(dst, value, n);
    default:
      return fill_as<uint64_t>(dst, value, n);
  }
}

}  // namespace toprope::isa::array
