// The kernels of the matrix product: packing into panels, and the product of panels.
#pragma once
#include <cstddef>

#include "isa/array/matmul.h"
#include "isa/simd/targets.h"

namespace toprope::isa::array {

inline constexpr size_t kPanelDepth = 192;  ///< steps of k that one panel holds

/// c (of `stride` elements a row) += the product of a row block and a column block that were packed.
struct MatmulKernels {
  size_t rows, columns;  ///< of the tile that is kept in registers
  size_t steps;          ///< panels are as deep as the next multiple of it
  /// m rows of a (elements of the input type, `stride` a row), k of each, into tiles of `rows`:
  /// [tile][k][row].
  void (*pack_a)(void* to, const void* a, size_t stride, size_t m, size_t k);
  /// k rows of n elements into tiles of `columns`: [tile][k][column].
  void (*pack_b)(void* to, const void* b, size_t stride, size_t n, size_t k);
  void (*product)(void* c, size_t stride, const void* a, const void* b, size_t m, size_t n, size_t k);
};

struct MatmulTable {
  MatmulKernels of_half, of_bfloat, of_float, of_int8;
};

extern const DispatchedTable matmul_table;

}  // namespace toprope::isa::array
