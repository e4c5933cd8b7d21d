// The fill kernels.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/types/dtype.h"

namespace toprope::isa {

/// dst[i] = the low bytes of the second.
using FillKernel = MapKernel<void*, uint32_t>;

/// dst[i] = first + place + i.
using IndexKernel = void (*)(void* dst, uint64_t first, uint32_t place, size_t n);

struct FillTable {
  FillKernel fill[2];  ///< elements of 2 and of 4 bytes
  IndexKernel index[kDTypes] = {};
};

extern const DispatchedTable fill_table;

}  // namespace toprope::isa
