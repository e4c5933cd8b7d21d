// Between rows of 16 columns and the columns as rows, 16 x 16 elements at a time.
#pragma once
#include "lib/view.h"

namespace toprope::lib {

inline constexpr uint32_t kSquare = 16;

/// The 16 columns as rows: rows[j][s] = src[s * stride + j] for s < count, a multiple of 16. stride is a
/// multiple of 16 elements. Types of 16 and 32 bits.
void columns_to_rows(const View (&rows)[kSquare], const View& src, uint32_t stride, uint32_t count);

/// The other way round: dst[s * stride + j] = rows[j][s].
void rows_to_columns(const View& dst, uint32_t stride, const View (&rows)[kSquare], uint32_t count);

}  // namespace toprope::lib
