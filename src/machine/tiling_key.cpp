#include "toprope/machine/tiling_key.h"

#include <atomic>

namespace toprope {
namespace {
std::atomic<uint64_t> current{0};
}

void set_tiling_key(uint64_t key) { current.store(key, std::memory_order_relaxed); }
uint64_t tiling_key() { return current.load(std::memory_order_relaxed); }

}  // namespace toprope
