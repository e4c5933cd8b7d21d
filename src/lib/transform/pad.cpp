#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"
#include "toprope/isa/gather.h"
#include "toprope/lib/filter.h"
#include "toprope/lib/transform.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255;

/// Columns [first, first + count) of every row, which is `stride` elements, become `value`.
void fill_columns(const View& dst, uint32_t first_column, uint32_t count, double value, uint32_t rows,
                  uint32_t stride) {
  const uint32_t lanes = lanes_of_block(dst.type);
  for (uint32_t c = first_column / lanes * lanes; c < first_column + count; c += lanes) {
    const uint32_t from = c < first_column ? first_column - c : 0,
                   end = std::min(lanes, first_column + count - c);
    const uint64_t bits[2] = {((uint64_t{1} << end) - 1) & ~((uint64_t{1} << from) - 1), 0};
    for (uint32_t r = 0; r < rows; r += kMostRepeats)
      isa::duplicate(dst.type,
                     dst[uint64_t{r} * stride + c].operand(1, static_cast<uint16_t>(stride / lanes)),
                     scalar(dst.type, value),
                     VecShape::mask_bits(bits, static_cast<uint8_t>(std::min(kMostRepeats, rows - r))));
  }
}

}  // namespace

void pad(DType type, const Slice& dst, const Slice& src, const PadShape& s, int32_t value, Temporary memory) {
  const Composition call("Pad", __builtin_return_address(0));
  const View out{dst, type}, in{src, type};
  const uint32_t stride = static_cast<uint32_t>(round_up(s.width, lanes_of_block(type)));
  uint32_t numbers = s.valid;
  if (stride == s.width) {
    move(out, in, s.height * s.width);
  } else {
    // Offsets of a row; in front of it stands its first element until the fill.
    numbers = s.width;
    const uint32_t size = size_of(type), reach = s.left + s.width;
    const View offsets = take(memory, DType::Int32, stride);
    arange(DType::Int32, offsets.at, -static_cast<double>(s.left) * size, size, reach);
    if (s.left != 0) apply(VectorScalar::Maxs, offsets, offsets, 0, reach);
    for (uint32_t r = 0; r < s.height; ++r)
      isa::gather(type, out[uint64_t{r} * stride].operand(), in.at, offsets.at, r * s.width * size,
                  first(reach));
  }
  if (s.left != 0) fill_columns(out, 0, s.left, value, s.height, stride);
  if (s.right != 0) fill_columns(out, s.left + numbers, s.right, value, s.height, stride);
}

void unpad(DType type, const Slice& dst, const Slice& src, uint32_t height, uint32_t width, uint32_t right) {
  const Composition call("UnPad", __builtin_return_address(0));
  constexpr uint8_t kAll = 7;
  isa::gather_mask(type, dst, {src, 1, static_cast<uint16_t>(width / lanes_of_block(type))}, {kAll, {}, 0},
                   width - right, height);
}

}  // namespace toprope::lib
