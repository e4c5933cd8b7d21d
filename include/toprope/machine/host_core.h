// The core of a tile program that host code calls as a plain function. Source: PTO Tile Lib, CPU_SIM.
#pragma once
#include <cstdint>

#include "toprope/machine/core.h"

namespace toprope {

/// The core that tile instructions of the calling thread run on: the kernel's, or outside a launch the
/// thread's own, a vector and a cube core in one, which lives as long as the thread.
Core& tile_core();

/// Gives the calling thread's own core the memories of a chip, by the name that TOPROPE_SOC takes. False: no
/// such chip. Where that changes their sizes, tiles placed before lose their contents.
bool set_host_chip(const char* soc);

/// Which block and vector core the thread's own core plays.
void set_host_position(uint32_t block, uint32_t blocks, uint32_t sub_block, uint32_t sub_blocks);

/// The host address of byte `at` of a local memory on the core that the thread's tile instructions run on.
/// What lies beyond the memory is taken as a host address already, as TASSIGN with a tile's data() gives it.
void* tile_address(Mem mem, uint64_t at);

/// Zeroes the thread's own core's local memories.
void clear_tile_memories();

}  // namespace toprope
