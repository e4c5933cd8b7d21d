// The mask register: which elements take part in the instructions that do not say it themselves.
// Source: Ascend C API, mask; SetVectorMask, ResetMask, SetMaskCount, SetMaskNorm.
#pragma once
#include <cstdint>

namespace toprope::isa {

/// A bit for each element of a repeat, or (counter mode) the number of elements in `low`. Every instruction
/// that brings a mask or a count of its own overwrites it.
void set_vector_mask(uint64_t low, uint64_t high);
/// All elements.
void reset_mask();

/// Counter mode (on): the register holds how many elements take part in all; normal mode: a bit for each
/// element of a repeat. The mode outlives the kernel on the device, so a kernel ends in normal mode.
void set_counter_mode(bool on);

}  // namespace toprope::isa
