// The contiguous fill kernels.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/simd/targets.h"
#include "toprope/types/dtype.h"

namespace toprope::isa {

/// `bytes` bytes from `dst` on become copies of `pattern`, which starts anew at dst (4-byte aligned).
using FillKernel = void (*)(void* dst, uint32_t pattern, size_t bytes);

/// dst[i] = first + place + i.
using IndexKernel = void (*)(void* dst, uint64_t first, uint32_t place, size_t n);

struct FillTable {
  FillKernel fill = nullptr;
  IndexKernel index[kDTypes] = {};
};

extern const DispatchedTable fill_table;

}  // namespace toprope::isa
