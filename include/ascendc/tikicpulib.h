// Kernels called by name from a host program, the way of the vendor's older CPU debug mode: memory from
// GmAlloc, then ICPU_RUN_KF runs the kernel and returns when it is done. A kernel that fails ends the program
// with its report. Source: Ascend C API, CPU twin debugging.
#pragma once
#include "kernel_operator.h"
#include "toprope/driver/icpu.h"
#include "toprope/machine/tiling_key.h"

#define ICPU_RUN_KF(func, numBlocks, ...) \
  ::toprope::icpu_run(::toprope::LaunchSite{#func, __FILE__, __LINE__}, func, numBlocks, ##__VA_ARGS__)

/// Later kernels take the branches of TILING_KEY_IS(tilingKey).
#define ICPU_SET_TILING_KEY(tilingKey) ::toprope::set_tiling_key(tilingKey)
