// Kernels that a host program calls by name and waits for, with memory that the host fills itself.
// Source: Ascend C API, CPU twin debugging.
#pragma once
#include <cstddef>
#include <cstdint>

#include "toprope/driver/submit.h"

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE };

namespace AscendC {
using ::KernelMode;

/// Global memory of the device; the host may read and write it. Null when there is none left.
void* GmAlloc(size_t size);
/// Ends what GmAlloc gave.
void GmFree(void* ptr);
/// Which cores run the kernels of later ICPU_RUN_KF: a cube core with two vector cores (the default), a cube
/// core, a vector core.
void SetKernelMode(KernelMode mode);
}  // namespace AscendC

namespace toprope {

/// Declares the kernel's cores as SetKernelMode said; then the launch, and its end. Exits when either fails.
void icpu_begin(const LaunchSite& site);
void icpu_end(const LaunchSite& site, uint32_t status);

template <class Result, class... Parameters, class... Args>
void icpu_run(const LaunchSite& site, Result (*kernel)(Parameters...), uint32_t blocks, Args&&... args) {
  icpu_begin(site);
  LaunchConfig config;
  config.blocks = blocks;
  icpu_end(site, known_kernel(site, kernel).submit_status(config, static_cast<Args&&>(args)...));
}

}  // namespace toprope
