// Parts of UB that a kernel declares out of bounds for itself. Source: Ascend C API, CheckLocalMemoryIA.
#pragma once
#include <cstdint>

namespace toprope {

inline constexpr uint32_t kGuards = 4;

/// DataBlocks of UB behind `first` up to `last` (itself included), and who must not touch them how. Places
/// may also come from GetPhyAddr() / 32.
struct LocalGuard {
  enum Kind : uint8_t {
    ScalarRead = 1,
    ScalarWrite = 2,
    VectorRead = 4,
    VectorWrite = 8,
    MteRead = 16,
    MteWrite = 32
  };
  uint32_t first = 0, last = 0;
  uint8_t kinds = 0;  ///< of Kind; 0 lifts the guard
};

/// Sets one of the core's guards: an access that meets it ends the block with a report. The device raises a
/// vector core exception.
void guard_local_memory(uint32_t number, const LocalGuard& guard);

}  // namespace toprope
