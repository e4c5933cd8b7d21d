// Transposing matrices in the host's memory.
#pragma once
#include <cstddef>
#include <cstdint>

namespace toprope::isa {

/// dst[c][r] = src[r][c] for `rows` x `columns` elements of `element` (1, 2 or 4) bytes; steps from row to
/// row in bytes. dst and src do not overlap.
void transpose_matrix(uint8_t* dst, size_t dst_step, const uint8_t* src, size_t src_step, size_t rows,
                      size_t columns, uint32_t element);

}  // namespace toprope::isa
