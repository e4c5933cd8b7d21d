// Which core runs, as the device compiler knows it without a header.
// Source: Ascend C API, system resources and variables.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"
#include "toprope/machine/host_core.h"

namespace toprope {

/// The running core; PTO's CPU mode calls kernels as plain functions, which have the thread's own.
inline const Core& core_of_words() {
#ifdef __CPU_SIM
  return tile_core();
#else
  return core();
#endif
}

/// The words block_idx and block_num. Objects rather than macros, so that a program's own names stay its own.
struct BlockIndexWord {
  operator int64_t() const { return core_of_words().block_idx; }
};
struct BlockNumberWord {
  operator int64_t() const { return core_of_words().block_num; }
};

}  // namespace toprope

inline constexpr toprope::BlockIndexWord block_idx{};
inline constexpr toprope::BlockNumberWord block_num{};

inline int64_t get_block_idx() { return toprope::core_of_words().block_idx; }
inline int64_t get_block_num() { return toprope::core_of_words().block_num; }
inline int64_t get_subblockid() { return toprope::core_of_words().sub_block_idx; }
inline int64_t get_subblockdim() {
  const toprope::Core& c = toprope::core_of_words();
  return c.cube ? 1 : c.sub_block_num;
}
