// Sorting and TopK of the high-level API, on operands in UB, and the temporary memory they need.
// Source: Ascend C API, high-level API, sorting.
#pragma once
#include "toprope/isa/sort.h"
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// Descending, `outer` rows of `inner` elements (a multiple of 32), of which `valid` are numbers of the
/// caller's; the rest are padding that he keeps from the front.
struct TopKRows {
  uint32_t outer, inner, valid;
};

namespace memory {
/// Sorting all of `count` elements.
constexpr uint64_t sort(uint64_t count) { return count * isa::kRecordBytes; }
/// Rows whose finished ones are marked, at a time.
inline constexpr uint32_t kMarkedRows = 32;
inline constexpr uint64_t kMarkBytes = kMarkedRows * (2 + 2 * 4 + 2 * 32);
/// `small`: rows of 32 elements, all at once. `indices`: the caller gives none. `negated`: for the smallest.
constexpr uint64_t top_k(uint32_t size, const TopKRows& rows, bool small, bool indices, bool negated) {
  const uint64_t at_once = small ? uint64_t{rows.outer} * rows.inner : rows.inner;
  const uint64_t records = (small ? 1 : 2) * at_once * isa::kRecordBytes;
  return (records < kMarkBytes ? kMarkBytes : records) + (indices ? uint64_t{rows.inner} * 4 : 0) +
         (negated ? at_once * size : 0);
}
}  // namespace memory

/// `repeats` groups of 32 scores with their indices as records, each group sorted, or all of them.
void sort(DType type, const Slice& dst, const Slice& scores, const Slice& indices, int32_t repeats, bool all,
          Temporary memory);

/// Scores and indices of `repeats` groups of 32 records.
void extract(DType type, const Slice& scores, const Slice& indices, const Slice& records, int32_t repeats);

/// Named as documented: sorted runs as one; `taken` gets what was merged of each.
void merge_sorted(DType type, const Slice& dst, const isa::MergeRuns& runs, uint32_t (&taken)[4]);

struct TopKOperands {
  Slice values, indices, src;
  const Slice* src_indices;  ///< of a row (of all rows when they are small); null: 0, 1, 2 …
  const Slice* finished;     ///< a bool a row: its indices become rows.valid
};
/// The first `k` of each row and their indices. A row of results starts at a multiple of 32 bytes, or with
/// `small` behind the last one.
void top_k(DType type, const TopKOperands& o, const TopKRows& rows, uint32_t k, bool small, bool largest,
           Temporary memory);

}  // namespace toprope::lib
