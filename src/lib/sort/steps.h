// Steps of sorting that TopK shares.
#pragma once
#include "toprope/lib/sort.h"

namespace toprope::lib {

/// Each of `groups` groups of 32 as sorted records.
void sort_groups(DType type, const Slice& dst, const Slice& scores, const Slice& indices, uint32_t groups);

/// All of them as sorted records; `other` is as large as dst.
void sort_all(DType type, const Slice& dst, const Slice& other, const Slice& scores, const Slice& indices,
              uint32_t groups);

/// Scores and indices of the first `of_repeat` records of each 32, behind one another.
void split_records(DType type, const Slice& scores, const Slice& indices, const Slice& records,
                   uint32_t of_repeat, uint32_t repeats);

}  // namespace toprope::lib
