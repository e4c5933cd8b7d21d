// The temporary memory of a high-level function: the sharedTmpBuffer that its caller gives, or what no
// InitBuffer has taken of UB. Source: Ascend C API, high-level API, "temporary space".
#pragma once
#include "toprope/machine/core.h"
#include "toprope/machine/queue.h"

namespace toprope::lib {

/// Refuses the running function: `wanted` bytes of temporary memory, `left` are there.
[[noreturn]] void refuse_temporary(uint64_t wanted, uint64_t left);

/// UB that is handed out from its front, in pieces that start at multiples of 32 bytes. A copy hands out the
/// same bytes again: what an inner step took is free when its copy is gone.
class Temporary {
 public:
  /// What the caller gave: `bytes` at `place`, as far as they lie in its allocation.
  Temporary(const Slice& place, uint64_t bytes) : at_((place.at + 31) / 32 * 32), end_(place.at + bytes) {
    if (place.end != 0 && place.end < end_) end_ = place.end;
  }
  /// What no InitBuffer has taken.
  Temporary() : Temporary(remaining_memory(Mem::UB)) {}

  uint64_t left() const { return end_ > at_ ? end_ - at_ : 0; }

  /// `bytes` bytes; refused when they are not there.
  Slice take(uint64_t bytes) {
    const uint64_t whole = (bytes + 31) / 32 * 32;
    if (whole > left()) refuse_temporary(whole, left());
    const Slice piece{at_, at_, at_ + whole, Mem::UB};
    at_ += whole;
    return piece;
  }

  /// How many elements one pass can do when each needs `bytes` bytes here: a multiple of `granule` elements,
  /// at least one granule, not more than `count` rounded up.
  uint32_t elements(uint32_t bytes, uint32_t count, uint32_t granule = 64) const {
    const uint64_t fits = left() / (uint64_t{bytes} * granule);
    const uint64_t wanted = (uint64_t{count} + granule - 1) / granule;
    if (fits == 0 && wanted != 0) refuse_temporary(uint64_t{bytes} * granule, left());
    return static_cast<uint32_t>((fits < wanted ? fits : wanted) * granule);
  }

 private:
  explicit Temporary(const Slice& free) : Temporary(free, free.end - free.at) {}
  uint64_t at_, end_;
};

}  // namespace toprope::lib
