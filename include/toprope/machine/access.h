// A scalar load or store of a kernel (GetValue, SetValue, operator()), on the scalar pipe.
#pragma once
#include "toprope/machine/core.h"

namespace toprope {

/// Slow path of scalar_access: bounds fault, or observers to tell. Returns the host address.
void* checked_scalar_access(Core& core, const Slice& place, uint32_t bytes, bool write);

/// Faults when the tensor does not fit into its memory.
void check_tensor(const Slice& tensor);

/// The host address of `bytes` bytes at `place`.
[[gnu::always_inline]] inline void* scalar_access(const Slice& place, uint32_t bytes, bool write) {
  Core& c = core();
  const bool inside = place.end == 0 || (place.at >= place.begin && place.at + bytes <= place.end);
  if (__builtin_expect(!inside || c.watched, 0)) return checked_scalar_access(c, place, bytes, write);
  return host(c, place.mem, place.at);
}

}  // namespace toprope
