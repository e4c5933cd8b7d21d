// A kernel that computes element by element, in the two forms that walk() knows.
#pragma once
#include <cstddef>
#include <cstdint>

namespace toprope::isa {

inline constexpr int kMostOperands = 4;

/// Elements in whole repeats whose 32-byte blocks lie apart or do not all take part: a kernel may be given
/// this instead of a number of elements in a row.
struct Apart {
  size_t n;
  uint32_t stride[kMostOperands];  ///< bytes from block to block, the destination's first
  const uint8_t* mask = nullptr;   ///< the bytes of a repeat of the destination that are written; null: all
  uint32_t mask_bytes = 0;         ///< a power of two

  /// The mask of the destination's bytes from `byte` on.
  const uint8_t* mask_at(size_t byte) const { return mask + (byte & (mask_bytes - 1)); }
};

/// The same elements for a kernel that reads its destination before its sources.
constexpr size_t reading_destination(size_t n) { return n; }
constexpr Apart reading_destination(const Apart& a) {
  return {a.n, {a.stride[0], a.stride[0], a.stride[1], a.stride[2]}, a.mask, a.mask_bytes};
}

/// The same elements for a kernel that counts bytes.
constexpr size_t in_bytes(size_t n, uint32_t element) { return n * element; }
constexpr Apart in_bytes(Apart a, uint32_t element) {
  a.n *= element;
  return a;
}

template <class... Operands>
struct MapKernel {
  void (*row)(Operands... operands, size_t n) = nullptr;
  void (*blocks)(Operands... operands, Apart extent) = nullptr;

  void operator()(Operands... operands, size_t n) const { row(operands..., n); }
  void operator()(Operands... operands, const Apart& extent) const { blocks(operands..., extent); }
  explicit operator bool() const { return row != nullptr; }
};

}  // namespace toprope::isa
