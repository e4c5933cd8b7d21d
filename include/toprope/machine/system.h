// What a kernel can ask its core, and the core's registers that are no instruction's.
// Source: Ascend C API, system resources and variables, workspace, cache control.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"

namespace toprope {

/// InitSocState: mask register, store atomics and padding as a block starts with them.
void init_core_state();

/// A counter of the chip's: 50 MHz on dav-2201, 1 GHz on dav-3510.
int64_t system_cycle();
/// Cycles of the core's own clock since the program's start.
uint64_t core_cycle();
/// An address of the calling code.
int64_t program_counter();
/// The architecture in hexadecimal digits: 0x2201 for dav-2201.
uint32_t architecture_version();

/// CTRL: bit 48 is clear in saturation mode, bit 56 is set in counter mode, bit 59 where casts to integers
/// keep the low bits. The other bits keep what is written and have no effect here. Source: C API,
/// asc_set_ctrl.
uint64_t control_register();
void set_control_register(uint64_t value);

/// The base of the registers that order cores, as the host told it to the kernel. The hardware's flags need
/// none here, so it is only kept.
uint64_t sync_base();
void set_sync_base(uint64_t address);

/// The eight addresses of an address register, 0 to 7, that asc_set_va_reg fills.
using AddressRegister = uint64_t[8];
AddressRegister& address_register(uint32_t number);

/// SetSysWorkspace and GetSysWorkSpacePtr: the part of a workspace that belongs to the framework; null before
/// it is set.
void set_system_workspace(uint8_t* workspace);
uint8_t* system_workspace();
/// Bytes of the framework's part in front of the user's.
inline constexpr uint64_t kSystemWorkspaceBytes = 16 * 1024 * 1024;

/// Event ids of one kind: a bit of `used` for each that is taken. Fault when none is left, or when an id is
/// given back that nobody took.
int8_t take_event_id(uint8_t& used);
int8_t free_event_id(uint8_t used);
void give_event_id(uint8_t& used, int8_t id);

}  // namespace toprope
