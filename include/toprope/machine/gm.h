// Scalar accesses to GM that other cores may look at: reads and writes past the data cache, and its
// write-back. A core that looks at the same bytes again and again lets other cores run; when none of them
// can, that is a deadlock. Source: Ascend C API, ReadGmByPassDCache, WriteGmByPassDCache,
// DataCacheCleanAndInvalid.
#pragma once
#include <cstdint>

namespace toprope {

/// The value of 1, 2, 4 or 8 bytes, zero-extended.
uint64_t read_gm(const void* at, uint32_t bytes);
void write_gm(void* at, uint64_t value, uint32_t bytes);

/// Scalar writes before it, to the 64-byte line at `at` or to any (`whole`), are visible to other cores,
/// reads behind it see theirs. `at` is also where the next read will be; null when that is not known.
void clean_data_cache(const void* at, bool whole);

}  // namespace toprope
