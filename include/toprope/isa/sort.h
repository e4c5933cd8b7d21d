// Sorting records of a score and an index, 8 bytes each: the score (half or float) in front, a 32-bit index
// in the upper half; behind a half score two bytes are 0. Descending; equal scores keep their order. Where
// the documents say nothing: a NaN goes before every number, as torch.sort has it, and ±0 are equal.
// Source: Ascend C API, Sort32, MrgSort, GetMrgSortResult.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

inline constexpr uint32_t kRecordBytes = 8;
inline constexpr uint32_t kSortGroup = 32;  ///< records that Sort32 sorts at a time
inline constexpr DTypeSet kSortTypes = types::F16 | types::F32;

/// Sort32: each repeat turns 32 scores and 32 indices into 32 sorted records (256 bytes). 0 … 255 repeats.
void sort32(DType type, const Slice& dst, const Slice& scores, const Slice& indices, int32_t repeats);

/// Up to four sorted runs; named as in the documented structure.
struct MergeRuns {
  Slice run[4];          ///< 8-byte aligned
  uint16_t lengths[4];   ///< records, 0 … 4095
  uint16_t valid;        ///< 3, 7 or 15: the first two, three or four
  bool until_exhausted;  ///< stops when one of them is used up
  uint16_t repeats;      ///< 0 … 255; more than 1 only where four runs of one length lie behind one
                         ///< another and until_exhausted is off, else 1 counts
};

/// MrgSort: the runs as one. dst is 32-byte aligned and shares no byte with them. Of equal scores that of the
/// lower run comes first.
void merge(DType type, const Slice& dst, const MergeRuns& runs);

/// GetMrgSortResult: how many records of each run the last merge took.
void merge_result(uint16_t (&taken)[4]);

}  // namespace toprope::isa
