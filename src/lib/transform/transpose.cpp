#include "lib/composition.h"
#include "lib/transform/squares.h"
#include "toprope/lib/transform.h"

namespace toprope::lib {
namespace {

uint32_t sixteens(uint32_t count) { return (count + kSquare - 1) / kSquare; }

/// Rows of 16 elements, `dst_stride` elements from one to the next.
void spread_rows(const View& dst, const View& src, uint32_t rows, uint64_t dst_stride) {
  const uint32_t lanes = lanes_of_block(src.type), length = kSquare / lanes;
  isa::copy(dst.at, src.at,
            isa::BlockMove{static_cast<uint16_t>(rows), static_cast<uint16_t>(length), 0,
                           static_cast<uint16_t>(dst_stride / lanes - length)},
            size_of(src.type));
}

/// [B, N, S, W] to [B, S, N, W], W a multiple of 16: rows of 16 elements move as they are.
void swap_axes(bool to_nz, const View& dst, const View& src, const Heads& h) {
  const uint32_t chunks = sixteens(h.width);
  const uint64_t row = uint64_t{h.heads} * chunks * kSquare;
  for (uint32_t b = 0; b < h.batch; ++b)
    for (uint32_t n = 0; n < h.heads; ++n)
      for (uint32_t c = 0; c < chunks; ++c) {
        const uint64_t from = ((uint64_t{b} * h.heads + n) * chunks + c) * h.rows * kSquare;
        const uint64_t place = to_nz ? uint64_t{c} * h.heads + n : uint64_t{n} * chunks + c;
        spread_rows(dst[b * h.rows * row + place * kSquare], src[from], h.rows, row);
      }
}

/// A matrix whose columns lie in NZ chunks, heads behind one another: where a column is.
struct Columns {
  uint32_t heads, width;

  uint32_t total() const { return heads * sixteens(width); }
  uint32_t chunk(uint32_t column) const {
    return column / width * sixteens(width) + column % width / kSquare;
  }
  uint32_t lane(uint32_t column) const { return column % width % kSquare; }
};

/// Columns of `from` in NZ to columns of `to`, in NZ or, with a row for each head, in ND. Columns that `to`
/// has no number for become 0.
void regroup(bool to_nz, const View& dst, const View& src, const Heads& h, const Columns& from,
             const Columns& to, Temporary& memory) {
  const View kept = take(memory, src.type, uint64_t{kSquare} * h.rows),
             dropped = take(memory, src.type, uint64_t{kSquare} * h.rows);
  const uint32_t of_head = sixteens(to.width), dst_stride = to_nz ? kSquare : of_head * kSquare;
  for (uint32_t b = 0; b < h.batch; ++b)
    for (uint32_t q = 0; q < to.total(); ++q) {
      const uint32_t head = q / of_head, first_lane = q % of_head * kSquare;
      const uint32_t lanes = to.width - first_lane < kSquare ? to.width - first_lane : kSquare;
      const uint32_t column = head * to.width + first_lane;
      if (lanes < kSquare) fill(kept[uint64_t{lanes} * h.rows], 0, (kSquare - lanes) * h.rows);
      for (uint32_t i = 0; i < lanes;) {
        const uint32_t chunk = from.chunk(column + i);
        View rows[kSquare];
        for (uint32_t j = 0; j < kSquare; ++j) rows[j] = dropped[uint64_t{j} * h.rows];
        for (; i < lanes && from.chunk(column + i) == chunk; ++i)
          rows[from.lane(column + i)] = kept[uint64_t{i} * h.rows];
        const uint64_t at = (uint64_t{b} * from.total() + chunk) * h.rows * kSquare;
        columns_to_rows(rows, src[at], kSquare, h.rows);
      }
      View rows[kSquare];
      for (uint32_t j = 0; j < kSquare; ++j) rows[j] = kept[uint64_t{j} * h.rows];
      const uint64_t plane = uint64_t{b} * to.total() * h.rows * kSquare;
      const uint64_t place =
          to_nz ? uint64_t{q} * h.rows * kSquare : uint64_t{head} * of_head * h.rows * kSquare + first_lane;
      rows_to_columns(dst[plane + place], dst_stride, rows, h.rows);
    }
}

void transpose_plane(const View& dst, const View& src, uint32_t height, uint32_t width) {
  for (uint32_t w = 0; w < width; w += kSquare) {
    View rows[kSquare];
    for (uint32_t j = 0; j < kSquare; ++j) rows[j] = dst[(uint64_t{w} + j) * height];
    columns_to_rows(rows, src[w], width, height);
  }
}

}  // namespace

void transpose(TransposeScene scene, DType type, const Slice& dst, const Slice& src, const Heads& h,
               Temporary memory) {
  const Composition call("Transpose", __builtin_return_address(0));
  const View to{dst, type}, from{src, type};
  const Columns split{h.heads, h.width}, joined{1, h.heads * h.width};
  switch (scene) {
    case TransposeScene::NzToNdSwap:
    case TransposeScene::NzToNzSwap:
      return swap_axes(scene == TransposeScene::NzToNzSwap, to, from, h);
    case TransposeScene::NzToNzSplit:
    case TransposeScene::NzToNdSplit:
      return regroup(scene == TransposeScene::NzToNzSplit, to, from, h, joined, split, memory);
    case TransposeScene::NzToNdJoin:
    case TransposeScene::NzToNzJoin:
      return regroup(scene == TransposeScene::NzToNzJoin, to, from, h, split, joined, memory);
    case TransposeScene::Plane:
      return transpose_plane(to, from, h.rows, h.width);
  }
}

}  // namespace toprope::lib
