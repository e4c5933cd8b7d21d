#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"
#include "toprope/isa/gather.h"
#include "toprope/lib/transform.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255;

/// Numbers of 16 or 32 bits as the type in which they are moved.
DType as_bits(uint32_t size) { return size == 4 ? DType::UInt32 : DType::UInt16; }

/// dst[r] = a DataBlock of src, repeated over a row; from row to row src goes on by `step` DataBlocks.
void repeat_blocks(const View& dst, const View& src, uint16_t block_stride, uint16_t step, uint32_t rows,
                   uint32_t width, uint32_t stride) {
  const uint32_t lanes = lanes_of(dst.type), of_block = lanes_of_block(dst.type);
  for (uint32_t c = 0; c < width; c += lanes) {
    const View from = block_stride == 0 ? src : src[c];
    for (uint32_t r = 0; r < rows; r += kMostRepeats)
      isa::copy_masked(dst.type,
                       dst[uint64_t{r} * stride + c].operand(1, static_cast<uint16_t>(stride / of_block)),
                       from[uint64_t{r} * step * of_block].operand(block_stride, step),
                       VecShape::mask_count(std::min(lanes, width - c),
                                            static_cast<uint8_t>(std::min(kMostRepeats, rows - r))));
  }
}

}  // namespace

void broadcast_column(DType type, const Slice& dst, const Slice& src, uint32_t rows, uint32_t width,
                      Temporary memory) {
  const Composition call("Broadcast", __builtin_return_address(0));
  const uint32_t size = size_of(type), granule = memory::broadcast_granule(size);
  const bool bytes = size == 1;
  const DType wide = bytes ? DType::Half : as_bits(size);
  const uint32_t of_block = lanes_of_block(wide), stride = static_cast<uint32_t>(round_up(width, of_block));
  const uint32_t tile =
      memory.elements(static_cast<uint32_t>(memory::broadcast(size, width, 1)), rows, granule);
  const View values = take(memory, wide, tile), blocks = take(memory, wide, uint64_t{tile} * of_block);
  View rows_there, packed;
  if (bytes || stride != width) rows_there = take(memory, wide, uint64_t{tile} * stride);
  if (bytes && stride != width) packed = take(memory, wide, uint64_t{tile} * width);
  // Brcb reads eight elements at a time.
  fill(values, 0, tile);
  for (uint32_t r = 0; r < rows; r += tile) {
    const uint32_t here = std::min(tile, rows - r);
    const View out = View{dst, bytes ? type : wide}[uint64_t{r} * width];
    if (bytes)
      convert(values, View{src, type}[r], here);
    else
      move(values, View{src, wide}[r], here);
    spread_blocks(blocks, values, here);
    const View spread = bytes || stride != width ? rows_there : out;
    repeat_blocks(spread, blocks, 0, 1, here, stride, stride);
    View numbers = spread;
    if (stride != width) {
      constexpr uint8_t kAll = 7;
      numbers = bytes ? packed : out;
      isa::gather_mask(wide, numbers.at, {spread.at, 1, static_cast<uint16_t>(stride / of_block)},
                       {kAll, {}, 0}, width, here);
    }
    if (bytes) convert(out, numbers, here * width);
  }
}

void broadcast_row(DType type, const Slice& dst, const Slice& src, uint32_t rows, uint32_t width) {
  const Composition call("Broadcast", __builtin_return_address(0));
  const uint32_t size = size_of(type), moved = size == 1 ? width / 2 : width;  // two bytes as one
  const DType bits = as_bits(size);
  repeat_blocks({dst, bits}, {src, bits}, 1, 0, rows, moved, moved);
}

}  // namespace toprope::lib
