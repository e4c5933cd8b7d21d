// Records of a score and an index in memory: sorting a few, merging many. Shared by vectors and tiles.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/simd/targets.h"
#include "toprope/isa/sort.h"

namespace toprope::isa {

/// out = the records of `n` (at most kSortGroup) scores and indices, sorted. out may overlap both.
using SortKernel = void (*)(void* out, const void* scores, const void* indices, size_t n);

/// Indexed by whether a score is a float; else it is a half.
struct SortTable {
  SortKernel sort[2] = {};
};

extern const DispatchedTable sort_table;

inline SortKernel sort_kernel(DType type) {
  return static_cast<const SortTable*>(sort_table.get())->sort[type == DType::Float];
}

/// Sorted records behind one another.
struct Run {
  const uint8_t* at = nullptr;
  uint32_t length = 0;
};

/// What a merge wrote in all, and took of each run.
struct Merged {
  uint32_t total = 0;
  uint16_t taken[4] = {};
};

/// Merges into at most `room` records at `out` (null: only counts). `until_exhausted`: stops when a run that
/// gave a record has no more.
Merged merge_records(uint8_t* out, const Run (&runs)[4], uint32_t room, DType type, bool until_exhausted);

}  // namespace toprope::isa
