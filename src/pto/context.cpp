#include "pto/context.h"

#include <fmt/format.h>

#include <atomic>

#include "base/config.h"
#include "base/soc.h"
#include "pto/status.h"

namespace pto {
namespace {

std::atomic<bool> is_initialized{false};
thread_local int device = 0;

}  // namespace

bool initialized() { return is_initialized.load(std::memory_order_acquire); }

int current_device() { return device; }

}  // namespace pto

using namespace pto;

pto_status pto_init(void) {
  return guarded([] {
    try {
      toprope::device_count();  // the environment is read here, where a wrong value can still be named
    } catch (const toprope::ConfigError& e) {
      throw Error(PTO_INVALID_ARGUMENT, e.what());
    }
    is_initialized.store(true, std::memory_order_release);
  });
}

pto_status pto_finalize(void) {
  is_initialized.store(false, std::memory_order_release);
  return PTO_OK;
}

int pto_is_initialized(void) { return initialized(); }

pto_status pto_device_count(int* count) {
  return guarded([&] {
    if (!count) throw Error(PTO_INVALID_ARGUMENT, "count is null");
    *count = toprope::device_count();
  });
}

pto_status pto_set_device(int index) {
  return guarded([&] {
    const int count = toprope::device_count();
    if (index < 0 || index >= count)
      throw Error(PTO_NOT_FOUND,
                  fmt::format("device {} does not exist: there {} {} (TOPROPE_DEVICES), numbered from 0",
                              index, count == 1 ? "is" : "are", count));
    device = index;
  });
}

pto_status pto_get_device(int* index) {
  return guarded([&] {
    if (!index) throw Error(PTO_INVALID_ARGUMENT, "device is null");
    *index = device;
  });
}
