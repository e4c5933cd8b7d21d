// The mask register's mode. Source: Ascend C API, SetMaskCount, SetMaskNorm.
#pragma once

namespace toprope::isa {

/// Counter mode (on): the register holds how many elements take part in all; normal mode: a bit for each
/// element of a repeat. The mode outlives the kernel on the device, so a kernel ends in normal mode.
void set_counter_mode(bool on);

}  // namespace toprope::isa
