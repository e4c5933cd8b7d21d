#include "toprope/machine/host_core.h"

#include <cstring>
#include <memory>

#include "base/soc.h"
#include "machine/core_state.h"

namespace toprope {
namespace {

constexpr Launch kCalledByHost = {.kernel = "(called by the host)", .cubes = 0, .vectors = 1};

thread_local std::unique_ptr<CoreState> own;

Core& begin(std::unique_ptr<CoreState> state) {
  own = std::move(state);
  own->begin(kCalledByHost, 0, 0);
  return own->core;
}

/// PTO's CPU mode bounds neither bias nor scaling tiles; L1's size is more than any program's need.
SocInfo roomy(SocInfo chip) {
  chip.bt = chip.fb = chip.l1;
  return chip;
}

Core& own_core() { return own ? own->core : begin(std::make_unique<CoreState>(roomy(soc()))); }

}  // namespace

Core& tile_core() { return current_core ? *current_core : own_core(); }

bool set_host_chip(const char* name) {
  const SocInfo* chip = find_soc(name);
  if (!chip) return false;
  const Core& core = own_core();
  const auto capacity = [&](Mem mem) { return core.capacity[static_cast<int>(mem)]; };
  const bool same = capacity(Mem::UB) == chip->ub && capacity(Mem::L1) == chip->l1 &&
                    capacity(Mem::L0A) == chip->l0a && capacity(Mem::L0B) == chip->l0b &&
                    capacity(Mem::L0C) == chip->l0c;
  if (!same) begin(std::make_unique<CoreState>(roomy(*chip)));
  return true;
}

void set_host_position(uint32_t block, uint32_t blocks, uint32_t sub_block, uint32_t sub_blocks) {
  Core& core = own_core();
  core.block_idx = block;
  core.block_num = blocks;
  core.sub_block_idx = sub_block;
  core.sub_block_num = sub_blocks;
}

void clear_tile_memories() {
  const Core& core = own_core();
  for (int m = 1; m < kMems; ++m) std::memset(core.base[m], 0, core.capacity[m]);
}

void* tile_address(Mem mem, uint64_t at) {
  const Core& core = tile_core();
  return at <= core.capacity[static_cast<int>(mem)] ? host(core, mem, at) : host(core, Mem::GM, at);
}

}  // namespace toprope
