#include <algorithm>

#include "lib/composition.h"
#include "lib/normalization/steps.h"

namespace toprope::lib {
namespace {

/// `count` values as float, each in a DataBlock of its own.
View blocks_of(const Slice& values, DType type, Temporary& memory, const View& room, const View& spare,
               uint32_t count) {
  const View blocks = take(memory, DType::Float, 8 * round_up(count, 8));
  View from{values, type};
  if (type != DType::Float) {
    convert(room, from, count);
    from = room;
  }
  spread_blocks(blocks, from, count, spare);
  return blocks;
}

}  // namespace

void batch_norm(DType type, const LayerNormOperands& o, float epsilon, uint32_t batch, uint32_t width,
                Temporary memory) {
  const Composition call("BatchNorm", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const uint32_t unit = lanes_of_block(type);
  const uint32_t tile = unit * rows_at_once(memory, (width + unit - 1) / unit, [&](uint32_t t) {
                          return memory::batch_norm(size_of(type), batch, unit * t);
                        });
  View room;
  if (!wide) room = take(memory, DType::Float, batch);
  const View spare = take(memory, DType::Float, 8);
  const View gamma = blocks_of(o.gamma, type, memory, room, spare, batch),
             beta = blocks_of(o.beta, type, memory, room, spare, batch);
  const View scale = take(memory, DType::Float, tile), scratch = take(memory, DType::Float, tile);
  View mean, variance, work;
  if (!wide) {
    mean = take(memory, DType::Float, tile);
    variance = take(memory, DType::Float, tile);
    work = take(memory, DType::Float, uint64_t{batch} * tile);
  }
  const double share = 1.0 / batch;
  for (uint32_t c = 0; c < width; c += tile) {
    const uint32_t columns = std::min(tile, width - c);
    const View x = View{o.x, type}[c], out = View{o.output, type}[c];
    const Rows rows{batch, columns, wide ? width : tile};
    const View a = wide ? out : work;
    View from = x;
    if (wide) {
      mean = View{o.mean}[c];
      variance = View{o.variance}[c];
    } else {
      for (uint32_t b = 0; b < batch; ++b) convert(work[uint64_t{b} * tile], x[uint64_t{b} * width], columns);
      from = work;
    }
    apply(VectorScalar::Muls, mean, from, share, columns);
    for (uint32_t b = 1; b < batch; ++b) {
      apply(VectorScalar::Muls, scratch, from[uint64_t{b} * rows.stride], share, columns);
      apply(Binary::Add, mean, mean, scratch, columns);
    }
    each(Binary::Sub, a, from, mean, Spread::OfColumn, rows);
    for (uint32_t b = 0; b < batch; ++b) {
      const View row = a[uint64_t{b} * rows.stride];
      apply(Binary::Mul, scratch, row, row, columns);
      apply(VectorScalar::Muls, b == 0 ? variance : scratch, scratch, share, columns);
      if (b != 0) apply(Binary::Add, variance, variance, scratch, columns);
    }
    apply(VectorScalar::Adds, scale, variance, epsilon, columns);
    apply(Unary::Sqrt, scale, scale, columns);
    each(Binary::Div, a, a, scale, Spread::OfColumn, rows);
    each(Binary::Mul, a, a, gamma, Spread::OfRow, rows);
    each(Binary::Add, a, a, beta, Spread::OfRow, rows);
    if (wide) continue;
    for (uint32_t b = 0; b < batch; ++b) convert(out[uint64_t{b} * width], work[uint64_t{b} * tile], columns);
    convert(View{o.mean, type}[c], mean, columns);
    convert(View{o.variance, type}[c], variance, columns);
  }
}

void group_norm(DType type, const LayerNormOperands& o, float epsilon, const NormRows& n, uint32_t channels,
                uint32_t channels_of_group, Temporary memory) {
  const Composition call("GroupNorm", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const uint32_t tile = rows_at_once(
      memory, n.rows, [&](uint32_t t) { return memory::group_norm(size_of(type), n, channels, t); });
  View room, means{o.mean}, variances{o.variance};
  if (!wide) {
    room = take(memory, DType::Float, channels);
    means = take(memory, DType::Float, n.rows);
    variances = take(memory, DType::Float, n.rows);
  }
  const View spare = take(memory, DType::Float, 8);
  const View gamma = blocks_of(o.gamma, type, memory, room, spare, channels),
             beta = blocks_of(o.beta, type, memory, room, spare, channels);
  const View per_row = take(memory, DType::Float, tile), scratch = take_scratch(memory, tile, n.width);
  View work;
  if (!wide) work = take(memory, DType::Float, uint64_t{tile} * n.width);
  fill(per_row, 0, static_cast<uint32_t>(round_up(tile, 8)));
  const uint32_t groups = channels / channels_of_group, plane = n.width / channels_of_group;
  for (uint32_t r = 0; r < n.rows; r += tile) {
    const Rows rows{std::min(tile, n.rows - r), n.width, n.width};
    const uint32_t count = rows.rows * n.width;
    const uint64_t place = uint64_t{r} * n.width;
    const View out = View{o.output, type}[place], a = wide ? out : work;
    View from = View{o.x, type}[place];
    if (!wide) {
      convert(a, from, count);
      from = a;
    }
    centre(a, from, {scratch, per_row, means[r]}, rows, n.valid);
    spread_of_squares(a, {scratch, per_row, variances[r]}, rows, n.valid, epsilon);
    const Rows planes{channels_of_group, plane, plane};
    for (uint32_t i = 0; i < rows.rows; ++i) {
      const uint64_t channel = uint64_t{(r + i) % groups} * channels_of_group * 8;
      const View row = a[uint64_t{i} * n.width];
      each(Binary::Mul, row, row, gamma[channel], Spread::OfRow, planes);
      each(Binary::Add, row, row, beta[channel], Spread::OfRow, planes);
    }
    if (!wide) convert(out, a, count);
  }
  if (wide) return;
  convert({o.mean, type}, means, n.rows);
  convert({o.variance, type}, variances, n.rows);
}

}  // namespace toprope::lib
