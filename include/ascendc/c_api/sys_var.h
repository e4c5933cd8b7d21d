// Which core runs, and its registers. Source: C API, system variables; asc_init.
#pragma once
#include "basic_api/kernel_operator_sys_var_intf.h"
#include "toprope/machine/local_array.h"

/// The core's registers as a kernel starts with them: atomics off, mask in normal mode with all elements.
[[gnu::always_inline]] inline void asc_init() { toprope::init_core_state(); }

/// The block, or on a vector core of a mixed kernel the number of the AIV in the launch; blocks of the
/// launch; which AIV of its block; the cores of the caller's kind in a block.
[[gnu::always_inline]] inline int64_t asc_get_block_idx() { return AscendC::GetBlockIdx(); }
[[gnu::always_inline]] inline int64_t asc_get_block_num() { return AscendC::GetBlockNum(); }
[[gnu::always_inline]] inline int64_t asc_get_sub_block_id() { return AscendC::GetSubBlockIdx(); }
[[gnu::always_inline]] inline int64_t asc_get_sub_block_num() { return AscendC::GetSubBlockNum(); }
/// Every core of the launch counts as one of its own, in order.
[[gnu::always_inline]] inline int64_t asc_get_core_id() { return AscendC::GetBlockIdx(); }

/// 0x2201 for dav-2201.
[[gnu::always_inline]] inline void asc_get_arch_ver(uint32_t& core_version) {
  core_version = toprope::architecture_version();
}
/// Ticks of 20 ns on dav-2201.
[[gnu::always_inline]] inline int64_t asc_get_system_cycle() { return toprope::system_cycle(); }
[[gnu::always_inline]] inline int64_t asc_get_program_counter() { return toprope::program_counter(); }

/// The address of byte `offset` of a local memory; the word of the pointer that it becomes says which.
[[gnu::always_inline]] inline uint64_t asc_get_phy_buf_addr(uint64_t offset) {
  return toprope::local_address(offset);
}

/// CTRL. Bit 48 clear: half infinities become the largest value and NaN 0, and integers clamp; bit 56:
/// counter mode; bit 59: casts to integers keep the low bits. Other bits are only kept.
[[gnu::always_inline]] inline int64_t asc_get_ctrl() {
  return static_cast<int64_t>(toprope::control_register());
}
[[gnu::always_inline]] inline void asc_set_ctrl(uint64_t config) { toprope::set_control_register(config); }

/// The base of the registers between cores, from aclrtGetHardwareSyncAddr; the counters work without it.
[[gnu::always_inline]] inline int64_t asc_get_ffts_base_addr() {
  return static_cast<int64_t>(toprope::sync_base());
}
[[gnu::always_inline]] inline void asc_set_ffts_base_addr(uint64_t config) { toprope::set_sync_base(config); }

/// An address of the block's stack, the first byte of UB, and what this core knows nothing of: 0.
[[gnu::always_inline]] inline int64_t asc_get_phy_stack_base() {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}
[[gnu::always_inline]] inline int64_t asc_get_sys_virtual_base() {
  return static_cast<int64_t>(toprope::local_address(0));
}
inline int64_t asc_get_smmu_tag_version() { return 0; }
/// Exceptions of the arithmetic units; none is recorded here.
inline int64_t asc_get_status() { return 0; }
