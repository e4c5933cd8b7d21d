// Choosing elements by masks, and arithmetic progressions, on operands in UB.
// Source: Ascend C API, high-level API, data filtering, index computation.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// `rows` rows: of `columns` elements of the operand, and of `mask_columns` elements of the mask.
struct MaskedRows {
  uint32_t rows, columns, mask_columns;
};

namespace memory {
/// Bytes for `count` elements, a multiple of 256, whose mask has elements of `mask_size` bytes.
constexpr uint64_t select(uint32_t mask_size, uint64_t count) {
  return count * (mask_size == 4 ? 4 : 2) + count / 8;
}
}  // namespace memory

/// dst = mask == 0 ? src : value, or with `value_first` mask == 0 ? value : src. `type`: half or float.
void select_bytes(DType type, const Slice& dst, const Slice& src, float value, bool value_first,
                  DType mask_type, const Slice& mask, const MaskedRows& rows, Temporary memory);

/// dst = (a mask element that is not 0 ? src : 0) / keep, where a mask element is a byte or a bit.
void drop_out(DType type, const Slice& dst, const Slice& src, const Slice& mask, bool bits, float keep,
              const MaskedRows& rows, Temporary memory);

/// dst[i] = first + i * difference, in steps of a DataBlock, then of a repeat.
void arange(DType type, const Slice& dst, double first, double difference, uint32_t count);

}  // namespace toprope::lib
