// The contiguous fill kernel.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/simd/targets.h"

namespace toprope::isa {

/// `bytes` bytes from `dst` on become copies of `pattern`, which starts anew at dst (4-byte aligned).
using FillKernel = void (*)(void* dst, uint32_t pattern, size_t bytes);

struct FillTable {
  FillKernel fill = nullptr;
};

extern const DispatchedTable fill_table;

}  // namespace toprope::isa
