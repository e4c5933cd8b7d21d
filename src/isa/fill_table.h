// The contiguous fill kernels.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/types/dtype.h"

namespace toprope::isa {

/// dst, pattern: so many bytes from dst on become copies of the pattern, which starts anew at dst (4-byte
/// aligned).
using FillKernel = MapKernel<void*, uint32_t>;

/// dst[i] = first + place + i.
using IndexKernel = void (*)(void* dst, uint64_t first, uint32_t place, size_t n);

struct FillTable {
  FillKernel fill;
  IndexKernel index[kDTypes] = {};
};

extern const DispatchedTable fill_table;

}  // namespace toprope::isa
