// The tiling key of the kernels that run: which branch of TILING_KEY_IS they take. Source: Ascend C API,
// TILING_KEY_IS, ICPU_SET_TILING_KEY.
#pragma once
#include <cstdint>

namespace toprope {

/// For later launches of the process; 0 until it is set.
void set_tiling_key(uint64_t key);
/// Of the running block's launch, where it has one of its own, else the process's.
uint64_t tiling_key();

/// A launch of an operator brings its own key: every block says so when it begins.
void use_tiling_key(uint64_t key);

}  // namespace toprope
