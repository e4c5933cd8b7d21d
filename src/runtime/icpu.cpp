// Kernels called by name from the host program (tikicpulib.h): device memory that the host fills itself,
// launches that end before the call returns.
#include "toprope/driver/icpu.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "acl/acl_rt.h"
#include "runtime/error.h"

namespace {

std::atomic<KernelMode> mode{KernelMode::MIX_MODE};

/// The first call of a program that never speaks of devices gives it device 0.
bool have_device() {
  int32_t device = 0;
  return aclrtGetDevice(&device) == ACL_SUCCESS || aclrtSetDevice(0) == ACL_SUCCESS;
}

[[noreturn]] void give_up(const toprope::LaunchSite& site) {
  std::fprintf(stderr, "toprope: error: ICPU_RUN_KF(%s) at %s:%u failed: %s\n", site.kernel, site.file,
               site.line, toprope::recent_message().c_str());
  std::exit(EXIT_FAILURE);
}

}  // namespace

namespace AscendC {

void* GmAlloc(size_t size) {
  void* memory = nullptr;
  if (!have_device() || aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
    std::fprintf(stderr, "toprope: error: GmAlloc(%zu): %s\n", size, toprope::recent_message().c_str());
    return nullptr;
  }
  return memory;
}

void GmFree(void* ptr) {
  if (ptr && aclrtFree(ptr) != ACL_SUCCESS)
    std::fprintf(stderr, "toprope: error: GmFree: %s\n", toprope::recent_message().c_str());
}

void SetKernelMode(KernelMode wanted) { mode = wanted; }

}  // namespace AscendC

namespace toprope {

void icpu_begin(const LaunchSite& site) {
  if (!have_device()) give_up(site);
  const KernelMode now = mode;
  toprope_declare_kernel(site.kernel, now == KernelMode::AIV_MODE ? 0 : 1,
                         now == KernelMode::MIX_MODE   ? 2
                         : now == KernelMode::AIV_MODE ? 1
                                                       : 0);
}

void icpu_end(const LaunchSite& site, uint32_t status) {
  if (status != ACL_SUCCESS || aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) give_up(site);
}

}  // namespace toprope
