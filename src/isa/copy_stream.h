// Copies between UB and GM of launches that move more than the caches hold.
#pragma once
#include <cstddef>

#include "isa/simd/targets.h"

namespace toprope::isa {

struct StreamTable {
  /// Stores past the caches. Other threads see the bytes in order with later stores.
  void (*store)(void* dst, const void* src, size_t n) = nullptr;
  /// Asks for the n bytes behind src while it copies those at src.
  void (*load)(void* dst, const void* src, size_t n) = nullptr;
};

extern const DispatchedTable stream_table;

inline const StreamTable& stream_kernels() { return *static_cast<const StreamTable*>(stream_table.get()); }

}  // namespace toprope::isa
