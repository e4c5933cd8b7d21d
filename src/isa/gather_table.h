// Kernels that collect elements.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/simd/targets.h"

namespace toprope::isa {

/// The least and the largest of some offsets, and the bits that any of them has.
struct OffsetSpan {
  uint32_t least, most, bits;
};
using SpanKernel = OffsetSpan (*)(const uint32_t* offsets, size_t n);

/// dst[i] = the element at byte offsets[i] of src; offsets below 2^31.
using GatherKernel = void (*)(void* dst, const void* src, const uint32_t* offsets, size_t n);

/// The elements whose bit is set, behind one another; returns how many. `bits` may be read up to 8 bytes
/// further, and `out` may be written up to kKeepSlack bytes further.
using KeepKernel = size_t (*)(void* out, const void* in, const uint8_t* bits, size_t n);
inline constexpr size_t kKeepSlack = 64;

/// Indexed by whether an element has 4 bytes; else it has 2.
struct GatherTable {
  SpanKernel span = nullptr;
  GatherKernel gather[2] = {};
  KeepKernel keep[2] = {};
};

extern const DispatchedTable gather_table;

}  // namespace toprope::isa
