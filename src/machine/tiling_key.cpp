#include "toprope/machine/tiling_key.h"

#include <atomic>

#include "machine/core_state.h"

namespace toprope {
namespace {

std::atomic<uint64_t> current{0};

}  // namespace

void set_tiling_key(uint64_t key) { current.store(key, std::memory_order_relaxed); }

uint64_t tiling_key() {
  if (current_core && current_core->state->tiling_key) return *current_core->state->tiling_key;
  return current.load(std::memory_order_relaxed);
}

void use_tiling_key(uint64_t key) { core().state->tiling_key = key; }

}  // namespace toprope
