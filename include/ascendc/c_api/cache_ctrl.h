// The scalar pipe's data cache and the instruction cache. Here scalar accesses reach memory at once and code
// needs no loading, so these order memory between cores and do nothing else. Source: C API, cache control.
#pragma once
#include <cstdint>

#include "toprope/driver/words.h"
#include "toprope/machine/gm.h"

/// Writes back and drops the 64-byte line at dst.
[[gnu::always_inline]] inline void asc_dcci_single(__gm__ void* dst) {
  toprope::clean_data_cache(dst, false);
}
[[gnu::always_inline]] inline void asc_ub_dcci_single(__ubuf__ void*) {
  toprope::clean_data_cache(nullptr, false);
}
/// The whole cache, or what of it belongs to a memory.
[[gnu::always_inline]] inline void asc_dcci_entire_all() { toprope::clean_data_cache(nullptr, true); }
[[gnu::always_inline]] inline void asc_dcci_entire_ub() { toprope::clean_data_cache(nullptr, true); }
[[gnu::always_inline]] inline void asc_dcci_entire_out() { toprope::clean_data_cache(nullptr, true); }
[[gnu::always_inline]] inline void asc_dcci_entire_atomic() { toprope::clean_data_cache(nullptr, true); }

inline void asc_datacache_preload(__gm__ uint64_t*, int64_t) {}
inline void asc_icache_preload(const void*, int64_t) {}
/// 0: finished.
inline int64_t asc_get_icache_preload_status() { return 0; }
