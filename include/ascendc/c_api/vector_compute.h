// Vector computation, and the mask register that its forms with repeats obey. Source: C API, vector
// computation.
#pragma once
#include "c_api/vector_compare.h"
#include "c_api/vector_fill.h"
#include "c_api/vector_one_source.h"
#include "c_api/vector_rearrange.h"
#include "c_api/vector_reduce.h"
#include "c_api/vector_scalar.h"
#include "c_api/vector_two_sources.h"

/// Normal mode: a bit for each element of a repeat, mask0 the lower 64. Counter mode: mask0 is the number of
/// elements.
[[gnu::always_inline]] inline void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) {
  toprope::isa::set_vector_mask(mask0, mask1);
}
[[gnu::always_inline]] inline void asc_set_mask_count() { toprope::isa::set_counter_mode(true); }
[[gnu::always_inline]] inline void asc_set_mask_norm() { toprope::isa::set_counter_mode(false); }
