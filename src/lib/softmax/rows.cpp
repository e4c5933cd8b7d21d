#include "lib/softmax/rows.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255, kMostStride = 255, kStrip = 16;

/// `repeats` runs of `lanes` elements from one type to another, in batches of what an instruction takes;
/// strides in DataBlocks.
void convert_runs(View dst, uint32_t dst_stride, View src, uint32_t src_stride, uint32_t lanes,
                  uint32_t repeats) {
  const bool by_one = dst_stride > kMostStride || src_stride > kMostStride;
  for (uint32_t done = 0; done < repeats;) {
    const uint32_t n = by_one ? 1 : std::min(kMostRepeats, repeats - done);
    const auto shape = VecShape::mask_count(lanes, static_cast<uint8_t>(n));
    const isa::VecOperand to = dst.operand(1, static_cast<uint16_t>(by_one ? 8 : dst_stride)),
                          from = src.operand(1, static_cast<uint16_t>(by_one ? 8 : src_stride));
    if (dst.type == src.type)
      isa::vector_scalar(VectorScalar::Muls, dst.type, to, from, scalar(dst.type, 1), shape);
    else
      isa::cast(dst.type, to, src.type, from, dst.type == DType::Float ? Round::None : Round::Rint, shape);
    dst.at.at += uint64_t{n} * dst_stride * isa::kBlockBytes;
    src.at.at += uint64_t{n} * src_stride * isa::kBlockBytes;
    done += n;
  }
}

}  // namespace

void RowGroup::strips(const View& m, const View& floats, bool back) const {
  const uint32_t blocks = kStrip / lanes_of_block(m.type),
                 row_blocks = shape_.columns / lanes_of_block(DType::Float);
  for (uint32_t strip = 0; strip * kStrip < shape_.columns; ++strip) {
    const View outside = m[(uint64_t{strip} * shape_.rows + first_) * kStrip],
               inside = floats[strip * kStrip];
    if (back)
      convert_runs(outside, blocks, inside, row_blocks, kStrip, rows_);
    else
      convert_runs(inside, row_blocks, outside, blocks, kStrip, rows_);
  }
}

View RowGroup::bring(const View& m, const View& room) const {
  if (in_place(m.type)) return rows_of(m);
  if (shape_.nz)
    strips(m, room, false);
  else
    convert(room, rows_of(m), elements());
  return room;
}

void RowGroup::take_back(const View& m, const View& room) const {
  if (in_place(m.type)) return;
  if (shape_.nz)
    strips(m, room, true);
  else
    convert(rows_of(m), room, elements(), Round::Rint);
}

void RowGroup::load(const View& dst, const View& statistics) const {
  const View from = values_of(statistics);
  if (shape_.one_value) {
    if (from.type == DType::Float)
      apply(VectorScalar::Muls, dst, from, 1, rows_);
    else
      convert(dst, from, rows_);
    return;
  }
  View blocks = from;
  if (from.type != DType::Float) {
    convert_runs(blocks_, 1, from, 1, lanes_of_block(DType::Float), rows_);
    blocks = blocks_;
  }
  for (uint32_t done = 0; done < rows_; done += kMostRepeats) {
    const auto n = static_cast<int32_t>(std::min(kMostRepeats, rows_ - done));
    isa::reduce_repeat(isa::Reduce::Max, DType::Float, dst[done].at, blocks[8 * done].at,
                       VecShape::mask_count(1, 1), {n, 1, 1, 1}, isa::ReduceOrder::OnlyValue);
  }
}

void RowGroup::store(const View& statistics, const View& src) const {
  const View to = values_of(statistics);
  if (shape_.one_value) {
    if (to.type == DType::Float)
      apply(VectorScalar::Muls, to, src, 1, rows_);
    else
      convert(to, src, rows_, Round::Rint);
    return;
  }
  const View blocks = blocks_.as(to.type);
  if (to.type != DType::Float) {
    const View values = work_.as(to.type);
    for (uint32_t done = 0; done < rows_; done += lanes_of(to.type)) {
      const uint32_t n = std::min(lanes_of(to.type), rows_ - done);
      convert(values, src[done], n, Round::Rint);
      spread_blocks(blocks, values, n);
      apply(VectorScalar::Muls, to[uint64_t{done} * lanes_of_block(to.type)], blocks, 1,
            n * lanes_of_block(to.type));
    }
    return;
  }
  spread_blocks(blocks, src, rows_);
  apply(VectorScalar::Muls, to, blocks, 1, rows_ * lanes_of_block(to.type));
}

}  // namespace toprope::lib
