// Quantisation functions of the high-level API, on operands in UB, and the temporary memory they need.
// Source: Ascend C API, high-level API, quantisation.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// A parameter that is one value, or a tensor of values.
struct QuantParameter {
  Slice values;
  float value = 0;
  bool varies = false;
};

namespace memory {
/// Bytes an element; 64 elements are the least.
constexpr uint32_t quant_element(uint32_t size) { return size == 4 ? 4 : 2; }
constexpr uint64_t dequant(uint64_t columns, uint64_t rows) { return (3 + rows) * ((columns + 7) / 8 * 32); }
/// Not transposed: `width` elements of a row, `tile` rows; a row may be cut into parts of any multiple of 64.
constexpr uint64_t antiquant_rows(uint64_t width, uint64_t tile) {
  return (width + 63) / 64 * 64 * (8 + 6 * tile);
}
/// Transposed: groups of `group` elements with a parameter each, 16 of which are done at once or more.
constexpr uint64_t antiquant_groups(bool to_half, uint64_t group, uint64_t tile) {
  return to_half ? tile * 2 * 32 : tile * (2 * 32 + 4 + 6 * group);
}
}  // namespace memory

/// int8_t of src * scale + offset for `count` elements, in half (float is rounded to half first). Varying
/// parameters are of `type` and repeat every `columns` elements.
void ascend_quant(DType type, const Slice& dst, const Slice& src, const QuantParameter& scale,
                  const QuantParameter& offset, uint32_t columns, uint32_t count, Temporary memory);

/// int32_t times a scale of float, bfloat16_t or uint64_t (whose low word is a float), in float. Of each of
/// `rows` rows of `columns` elements the first `count` are scaled; rows of dst start at multiples of 32
/// bytes.
struct DequantShape {
  uint32_t rows, columns, count;
};
void ascend_dequant(DType dst_type, const Slice& dst, const Slice& src, DType scale_type,
                    const QuantParameter& scale, const DequantShape& shape, Temporary memory);

/// (src + offset) * scale of int8_t or int4b_t: half in half, bfloat16_t in float.
struct AntiQuantShape {
  uint32_t count;          ///< elements of src
  uint32_t width;          ///< elements that lie in a row
  uint32_t height_groups;  ///< not transposed: rows of parameters; each has `width` values
  uint32_t width_groups;   ///< transposed: parameters of a row
  bool transposed;
};
/// `offset` may be null.
void ascend_antiquant(DType dst_type, DType src_type, const Slice& dst, const Slice& src,
                      const QuantParameter* offset, const QuantParameter& scale, const AntiQuantShape& shape,
                      Temporary memory);

}  // namespace toprope::lib
