// Which core a kernel runs on, and what that core has.
// Source: Ascend C API, system resources and variables; Trap.
#pragma once
#include "basic_api/kernel_common.h"
#include "toprope/machine/block_words.h"
#include "toprope/machine/print.h"
#include "toprope/machine/system.h"

namespace AscendC {

/// The block, or on a vector core of a mixed kernel the number of the AIV in the launch.
[[gnu::always_inline]] inline int64_t GetBlockIdx() { return toprope::core().block_idx; }
/// The blocks of the launch.
[[gnu::always_inline]] inline int64_t GetBlockNum() { return toprope::core().block_num; }
/// Which AIV of its block; 0 on the AIC.
[[gnu::always_inline]] inline int64_t GetSubBlockIdx() { return toprope::core().sub_block_idx; }
/// The cores of the caller's kind in a block.
[[gnu::always_inline]] inline int64_t GetSubBlockNum() {
  const toprope::Core& c = toprope::core();
  return c.cube ? 1 : c.sub_block_num;
}
[[gnu::always_inline]] inline int64_t GetTaskRatio() { return GetSubBlockNum(); }

/// Ticks of 20 ns on dav-2201, of 1 ns on dav-3510.
[[gnu::always_inline]] inline int64_t GetSystemCycle() { return toprope::system_cycle(); }
[[gnu::always_inline]] inline int64_t GetProgramCounter() { return toprope::program_counter(); }
/// The number of the architecture (--npu-arch) in hexadecimal digits: 0x2201.
[[gnu::always_inline]] inline void GetArchVersion(uint32_t& coreVersion) {
  coreVersion = toprope::architecture_version();
}

/// Bytes of UB that a kernel may use on the chip it is compiled for.
constexpr uint32_t GetUBSizeInBytes() {
#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 3510
  return 248 * 1024;
#else
  return 192 * 1024;
#endif
}
/// Bytes of UB on the chip it runs on.
[[gnu::always_inline]] inline uint32_t GetRuntimeUBSize() {
  return toprope::core().capacity[static_cast<int>(toprope::Mem::UB)];
}
constexpr uint32_t GetVecLen() { return 256; }
constexpr int16_t GetDataBlockSizeInBytes() { return ONE_BLK_SIZE; }

/// Ends the block with a report.
[[gnu::always_inline]] inline void Trap() { toprope::trap(); }

}  // namespace AscendC

/// `if ASCEND_IS_AIV { … }`: what only vector cores, and only cube cores, do.
#define ASCEND_IS_AIV (!::toprope::core().cube)
#define ASCEND_IS_AIC (::toprope::core().cube)

// The device compiler's own function.
[[gnu::always_inline]] inline void trap() { toprope::trap(); }
