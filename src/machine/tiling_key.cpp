#include "toprope/machine/tiling_key.h"

#include <atomic>

namespace toprope {
namespace {

std::atomic<uint64_t> current{0};

// The blocks that a thread runs are of one launch, so one key serves all that have begun.
thread_local bool of_launch = false;
thread_local uint64_t launch_key = 0;

}  // namespace

void set_tiling_key(uint64_t key) { current.store(key, std::memory_order_relaxed); }

uint64_t tiling_key() { return of_launch ? launch_key : current.load(std::memory_order_relaxed); }

void use_tiling_key(uint64_t key) {
  of_launch = true;
  launch_key = key;
}

void forget_tiling_key() { of_launch = false; }

}  // namespace toprope
