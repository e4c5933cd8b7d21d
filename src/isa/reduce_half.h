// Sums of half in the processor's own half arithmetic, where it has one: each addition rounds once to half,
// which is the documented step, without the way through float and back.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/reduce_table.h"

namespace toprope::isa {

/// Whether this processor and compiler have it (AVX512-FP16).
bool has_half_arithmetic();

/// The sums of whole batches of 32 rows of 256 bytes (the tree of ReduceRepeat); returns how many rows that
/// were.
size_t sum_half_rows(uint16_t* out, const uint16_t* in, size_t rows);

/// As ReduceTable::running_sum, in inf/nan mode.
void running_half_sum(uint16_t* value, const uint16_t* in, size_t n);

}  // namespace toprope::isa
