#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"
#include "toprope/lib/quantization.h"

namespace toprope::lib {
namespace {

constexpr uint64_t kOddWords[2] = {0xAAAAAAAAAAAAAAAA, 0};

/// The low words of 64-bit words, which are floats: the high ones become 0 in a copy and are added.
View low_words(const Slice& words, uint32_t count, Temporary& memory) {
  const uint32_t lanes = lanes_of(DType::Float);
  const View low = take(memory, DType::Float, round_up(count, 8)),
             copy = take(memory, DType::Float, 2 * round_up(count, 8));
  move(copy, {words}, 2 * count);
  for (uint32_t i = 0; i < 2 * count; i += lanes) {
    const uint32_t here = std::min(lanes, 2 * count - i);
    const uint64_t odd[2] = {here == 64 ? kOddWords[0] : kOddWords[0] & ((uint64_t{1} << here) - 1), 0};
    isa::duplicate(DType::Float, copy[i].operand(), scalar(DType::Float, 0), VecShape::mask_bits(odd, 1));
    isa::reduce_pair(DType::Float, low[i / 2].at, copy[i].at, VecShape::mask_count(here, 1), {1, 1, 1, 8});
  }
  return low;
}

}  // namespace

void ascend_quant(DType type, const Slice& dst, const Slice& src, const QuantParameter& scale,
                  const QuantParameter& offset, uint32_t columns, uint32_t count, Temporary memory) {
  const Composition call("AscendQuant", __builtin_return_address(0));
  const bool narrow = type == DType::Half;
  const uint32_t tile = memory.elements(memory::quant_element(size_of(type)), std::min(columns, count));
  const View values = take(memory, DType::Half, tile);
  View parameter;
  if (!narrow) parameter = take(memory, DType::Half, tile);
  const auto with = [&](Binary varying, VectorScalar constant, const QuantParameter& p, const View& from,
                        uint32_t column, uint32_t n) {
    if (!p.varies) {
      apply(constant, values, from, p.value, n);
    } else if (narrow) {
      apply(varying, values, from, View{p.values, type}[column], n);
    } else {
      convert(parameter, View{p.values, type}[column], n);
      apply(varying, values, from, parameter, n);
    }
  };
  for (uint32_t row = 0; row < count; row += columns)
    for (uint32_t c = 0; c < std::min(columns, count - row); c += tile) {
      const uint32_t n = std::min({tile, columns - c, count - row - c});
      View from = View{src, type}[uint64_t{row} + c];
      if (!narrow) {
        convert(values, from, n);
        from = values;
      }
      with(Binary::Mul, VectorScalar::Muls, scale, from, c, n);
      with(Binary::Add, VectorScalar::Adds, offset, values, c, n);
      convert(View{dst, DType::Int8}[uint64_t{row} + c], values, n, Round::Rint);
    }
}

void ascend_dequant(DType dst_type, const Slice& dst, const Slice& src, DType scale_type,
                    const QuantParameter& scale, const DequantShape& shape, Temporary memory) {
  const Composition call("AscendDequant", __builtin_return_address(0));
  const uint32_t n = shape.columns;
  View scales{scale.values};
  if (scale.varies && scale_type == DType::UInt64) {
    scales = low_words(scale.values, shape.count, memory);
  } else if (scale.varies && scale_type != DType::Float) {
    scales = take(memory, DType::Float, shape.count);
    convert(scales, {scale.values, scale_type}, shape.count);
  }
  const bool wide = dst_type == DType::Float;
  const uint32_t stride = static_cast<uint32_t>(round_up(n, lanes_of_block(dst_type)));
  uint32_t tile = shape.rows;
  View rows_in_float;
  if (!wide) {
    tile = static_cast<uint32_t>(
        std::min<uint64_t>(tile, std::max<uint64_t>(1, memory.left() / (uint64_t{n} * 4))));
    rows_in_float = take(memory, DType::Float, uint64_t{tile} * n);
  }
  for (uint32_t r = 0; r < shape.rows; r += tile) {
    const uint32_t rows = std::min(tile, shape.rows - r);
    const View out = View{dst, dst_type}[uint64_t{r} * stride], a = wide ? out : rows_in_float;
    convert(a, View{src, DType::Int32}[uint64_t{r} * n], rows * n);
    if (scale.varies)
      each(Binary::Mul, a, a, scales, Spread::OfColumn, {rows, shape.count, n});
    else if (shape.count == n)
      apply(VectorScalar::Muls, a, a, scale.value, rows * n);
    else
      for (uint32_t i = 0; i < rows; ++i)
        apply(VectorScalar::Muls, a[uint64_t{i} * n], a[uint64_t{i} * n], scale.value, shape.count);
    if (wide) continue;
    if (stride == n)
      convert(out, a, rows * n, Round::Rint);
    else
      for (uint32_t i = 0; i < rows; ++i)
        convert(out[uint64_t{i} * stride], a[uint64_t{i} * n], n, Round::Rint);
  }
}

}  // namespace toprope::lib
