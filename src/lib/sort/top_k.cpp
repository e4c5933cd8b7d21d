#include <algorithm>

#include "lib/composition.h"
#include "lib/sort/steps.h"
#include "lib/view.h"
#include "toprope/lib/filter.h"

namespace toprope::lib {
namespace {

/// indices[row] = finished ? none : indices[row]: flags as numbers, a DataBlock each.
void mark_finished(const View& indices, const View& finished, uint32_t none, const Rows& all,
                   Temporary memory) {
  const uint32_t tile = memory::kMarkedRows;
  const View halves = take(memory, DType::Half, tile), flags = take(memory, DType::Int32, tile),
             rest = take(memory, DType::Int32, tile), kept = take(memory, DType::Int32, tile * 8),
             added = take(memory, DType::Int32, tile * 8);
  fill(rest, 0, tile);
  for (uint32_t r = 0; r < all.rows; r += tile) {
    const Rows rows{std::min(tile, all.rows - r), all.columns, all.stride};
    const View here = indices[uint64_t{r} * all.stride];
    convert(halves, finished[r], rows.rows);
    convert(flags, halves, rows.rows, Round::Rint);
    apply(VectorScalar::Muls, rest, flags, -1, rows.rows);
    apply(VectorScalar::Adds, rest, rest, 1, rows.rows);
    spread_blocks(kept, rest, rows.rows);
    apply(VectorScalar::Muls, rest, flags, none, rows.rows);
    spread_blocks(added, rest, rows.rows);
    each(Binary::Mul, here, here, kept, Spread::OfRow, rows);
    each(Binary::Add, here, here, added, Spread::OfRow, rows);
  }
}

/// Rows of 32, all at once; the results lie behind one another.
void top_k_small(DType type, const TopKOperands& o, const TopKRows& rows, uint32_t k, bool largest,
                 const Slice& counted, Temporary& memory) {
  const uint32_t count = rows.outer * rows.inner;
  const Slice records = memory.take(uint64_t{count} * isa::kRecordBytes);
  View scores{o.src, type};
  if (!largest) {
    const View negated = take(memory, type, count);
    apply(VectorScalar::Muls, negated, scores, -1, count);
    scores = negated;
  }
  if (o.src_indices) {
    sort_groups(type, records, scores.at, *o.src_indices, rows.outer);
  } else {
    for (uint32_t r = 0; r < rows.outer; ++r) {
      const uint64_t at = uint64_t{r} * rows.inner;
      sort_groups(type, View{records, DType::Int32}[2 * at].at, scores[at].at, counted, 1);
    }
  }
  split_records(type, o.values, o.indices, records, k, rows.outer);
  const View values{o.values, type};
  if (!largest) apply(VectorScalar::Muls, values, values, -1, rows.outer * k);
}

void top_k_rows(DType type, const TopKOperands& o, const TopKRows& rows, uint32_t k, bool largest,
                const Slice& indices, Temporary& memory) {
  const Temporary from_here = memory;
  const uint32_t groups = rows.inner / isa::kSortGroup;
  const uint64_t bytes = uint64_t{rows.inner} * isa::kRecordBytes;
  const Slice records = memory.take(bytes), other = memory.take(bytes);
  View negated;
  if (!largest) negated = take(memory, type, rows.inner);
  const uint64_t value_stride = round_up(k, lanes_of_block(type)), index_stride = round_up(k, 8);
  for (uint32_t r = 0; r < rows.outer; ++r) {
    View scores = View{o.src, type}[uint64_t{r} * rows.inner];
    if (!largest) {
      apply(VectorScalar::Muls, negated, scores, -1, rows.inner);
      scores = negated;
    }
    if (groups == 1)
      sort_groups(type, records, scores.at, indices, 1);
    else
      sort_all(type, records, other, scores.at, indices, groups);
    const View values = View{o.values, type}[r * value_stride];
    split_records(type, values.at, View{o.indices, DType::UInt32}[r * index_stride].at, records, k, 1);
    if (!largest) apply(VectorScalar::Muls, values, values, -1, k);
  }
  if (o.finished)
    mark_finished({o.indices, DType::Int32}, {*o.finished, DType::UInt8}, rows.valid,
                  {rows.outer, k, static_cast<uint32_t>(index_stride)}, from_here);
}

}  // namespace

void top_k(DType type, const TopKOperands& o, const TopKRows& rows, uint32_t k, bool small, bool largest,
           Temporary memory) {
  const Composition call("TopK", __builtin_return_address(0));
  if (small && o.finished)
    call.refuse("rows of the small mode cannot be finished", "pass isHasfinish = false with TOPK_NSMALL");
  if (const uint64_t needed = memory::top_k(size_of(type), rows, small, !o.src_indices, !largest);
      needed > memory.left())
    refuse_temporary(needed, memory.left());
  Slice counted;
  if (!o.src_indices) {
    counted = memory.take(uint64_t{rows.inner} * 4);
    arange(DType::Int32, counted, 0, 1, rows.inner);
  }
  if (small)
    top_k_small(type, o, rows, k, largest, counted, memory);
  else
    top_k_rows(type, o, rows, k, largest, o.src_indices ? *o.src_indices : counted, memory);
}

}  // namespace toprope::lib
