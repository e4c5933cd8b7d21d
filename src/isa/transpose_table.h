// The transposition of one block.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/simd/targets.h"

namespace toprope::isa {

/// Transposes as many rows as 16 bytes hold elements, 16 bytes of each; steps in bytes. dst and src do not
/// overlap.
using BlockTranspose = void (*)(uint8_t* dst, size_t dst_step, const uint8_t* src, size_t src_step);

/// Indexed by the element's size: 1, 2, 4 bytes.
struct TransposeTable {
  BlockTranspose block[5] = {};
};

extern const DispatchedTable transpose_table;

}  // namespace toprope::isa
