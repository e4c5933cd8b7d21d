// What every copy is made of: runs of bytes at regular steps, their checks, and the store into GM.
#pragma once
#include <cstring>

#include "isa/issue.h"
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// One side of a copy: `repeats` times `blocks` runs of `run` bytes. Steps go from start to start, in bytes.
struct Runs {
  Slice slice;
  uint64_t run = 0;
  uint32_t blocks = 1, repeats = 1;
  uint64_t block_step = 0, repeat_step = 0;

  /// From the first byte to the end of the last run.
  uint64_t reach() const { return (repeats - 1) * repeat_step + (blocks - 1) * block_step + run; }
  bool consecutive() const { return repeats == 1 && (blocks == 1 || block_step == run); }
};

/// Refuses a side that is misaligned or leaves its tensor; says which of the two it is.
[[noreturn]] void refuse_side(Core& core, const Instruction& instruction, const char* operand,
                              const Slice& slice, uint64_t reach, uint32_t alignment, Site site);

/// Refuses a side that starts off `alignment` (a power of two), ends past its tensor, or lies nowhere. A GM
/// tensor without a known end has no bound here.
inline void check_side(Core& core, const Instruction& instruction, const char* operand, const Slice& slice,
                       uint64_t reach, uint32_t alignment, Site site) {
  constexpr uint64_t kLowestAddress = 4096;
  const bool gm = slice.mem == Mem::GM;
  const bool misaligned = (slice.at & (alignment - 1)) != 0;
  const bool over = slice.at + reach > slice.end && !(gm && slice.end == 0);
  if (misaligned | over | (gm && slice.at < kLowestAddress)) [[unlikely]]
    refuse_side(core, instruction, operand, slice, reach, alignment, site);
}

[[noreturn]] void refuse_range(Core& core, const Instruction& instruction, const char* parameter,
                               uint64_t value, uint64_t least, uint64_t most, Site site);

/// Refuses a parameter outside its documented range.
inline void check_range(Core& core, const Instruction& instruction, const char* parameter, uint64_t value,
                        uint64_t least, uint64_t most, Site site) {
  if (value < least || value > most) [[unlikely]]
    refuse_range(core, instruction, parameter, value, least, most, site);
}

Access access_of(const char* operand, const Runs& runs, bool write, const StoreAtomic& atomic = {});

/// Atomic copies only: combines `bytes` bytes (whole elements of the atomic type) with those at dst.
void combine(const StoreAtomic& atomic, bool saturate, uint8_t* dst, const uint8_t* src, uint64_t bytes);

/// Refuses runs that do not hold whole elements of the atomic type.
void check_atomic(Core& core, const Instruction& instruction, uint64_t run, Site site);

/// One run. Overlapping runs move as if through a copy of the source.
void move_consecutive(Core& core, uint8_t* dst, const uint8_t* src, uint64_t bytes, Mem to, Mem from);

/// Moves run after run: both sides have runs of the same length, in the same number. Into GM they combine as
/// `atomic` says, which is the core's at the time of the call in the kernel.
void move(Core& core, const Runs& dst, const Runs& src, const StoreAtomic& atomic);

/// Issues a copy whose sides are already checked.
inline void issue_move(Core& core, const Instruction& instruction, const Runs& dst, const Runs& src,
                       Site site) {
  const bool atomic = dst.slice.mem == Mem::GM && core.atomic.type != StoreAtomic::None;
  if (atomic) [[unlikely]]
    check_atomic(core, instruction, dst.run, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, true, atomic ? core.atomic : StoreAtomic{}));
        f.add(access_of("src", src, false));
      },
      [](Core* core, const Runs& dst, const Runs& src, StoreAtomic atomic) { move(*core, dst, src, atomic); },
      &core, dst, src, core.atomic);
}

}  // namespace toprope::isa
