#include "runtime/device.h"

#include <algorithm>

#include "base/config.h"
#include "base/soc.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

namespace toprope {
namespace {

std::vector<std::unique_ptr<Device>>& devices() {
  // Never destroyed: the program's static objects may still use them at exit.
  static auto& all = *new std::vector<std::unique_ptr<Device>>([] {
    std::vector<std::unique_ptr<Device>> made;
    for (int i = 0; i < device_count(); ++i) made.push_back(std::make_unique<Device>(i));
    return made;
  }());
  return all;
}

}  // namespace

Device::Device(int index)
    : id(index),
      memory_limit(config().device_memory ? config().device_memory : soc().hbm),
      cube_limit(soc().aic),
      vector_limit(soc().aiv) {}

bool Device::charge(uint64_t bytes) {
  uint64_t used = memory_used.load();
  do {
    if (bytes > memory_limit - used) return false;
  } while (!memory_used.compare_exchange_weak(used, used + bytes));
  uint64_t peak = memory_peak.load();
  while (peak < used + bytes && !memory_peak.compare_exchange_weak(peak, used + bytes)) {
  }
  return true;
}

void Device::add_stream(const std::shared_ptr<Stream>& stream) {
  std::lock_guard lock(mutex);
  std::erase_if(streams, [](const std::weak_ptr<Stream>& weak) { return weak.expired(); });
  streams.push_back(stream);
}

std::vector<std::shared_ptr<Stream>> Device::live_streams() {
  std::lock_guard lock(mutex);
  std::vector<std::shared_ptr<Stream>> live;
  std::erase_if(streams, [&live](const std::weak_ptr<Stream>& weak) {
    auto stream = weak.lock();
    if (!stream) return true;
    live.push_back(std::move(stream));
    return false;
  });
  return live;
}

void Device::task_done() {
  if (pending.fetch_sub(1) != 1) return;
  std::vector<std::function<void()>> releases;
  {
    std::lock_guard lock(mutex);
    if (pending.load()) return;
    releases.swap(at_idle);
  }
  for (auto& release : releases) release();
}

void Device::when_idle(std::function<void()> release) {
  {
    std::lock_guard lock(mutex);
    if (pending.load()) {
      at_idle.push_back(std::move(release));
      return;
    }
  }
  release();
}

Device* find_device(int id) {
  auto& all = devices();
  return id >= 0 && static_cast<size_t>(id) < all.size() ? all[static_cast<size_t>(id)].get() : nullptr;
}

aclError no_such_device(const char* api, int id) {
  const int count = device_count();
  return fail(ACL_ERROR_RT_INVALID_DEVICEID, api,
              "device {} does not exist: there {} {}, numbered from 0 (TOPROPE_DEVICES asks for more)", id,
              count == 1 ? "is" : "are", count);
}

}  // namespace toprope

using namespace toprope;

namespace {

/// Ends the streams of a device that nobody uses any more.
aclError close_device(Device& device) {
  aclError first = ACL_SUCCESS;
  for (auto& stream : device.live_streams()) {
    stream->wait_for_all();
    if (!first) first = stream->fault();
  }
  std::shared_ptr<Context> primary;
  {
    std::lock_guard lock(device.mutex);
    primary = std::move(device.primary);
    if (device.primary_handle) Handles<Context>::drop(device.primary_handle);
    device.primary_handle = nullptr;
    device.set_count = 0;
  }
  if (primary) primary->close();
  device.faulted = false;
  return ACL_SUCCESS;
}

aclError reset(const char* api, int32_t id, bool force) {
  return guarded(api, [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device(api, id);
    {
      std::lock_guard lock(device->mutex);
      if (device->set_count == 0 && !force) return ACL_SUCCESS;
      if (!force && --device->set_count > 0) return ACL_SUCCESS;
    }
    return close_device(*device);
  });
}

aclError synchronize_device(const char* api, int timeout_ms) {
  return guarded(api, [&]() -> aclError {
    aclError error;
    Context* context = require_context(api, error);
    if (!context) return error;
    aclError first = ACL_SUCCESS;
    for (auto& stream : context->device.live_streams()) {
      if (stream->recording()) continue;
      const aclError code = stream->synchronize(api, timeout_ms);
      if (!first) first = code;
    }
    return first;
  });
}

}  // namespace

extern "C" {

aclError aclrtSetDevice(int32_t id) {
  return guarded("aclrtSetDevice", [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device("aclrtSetDevice", id);
    enter_device(*device);
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDevice(int32_t id) { return reset("aclrtResetDevice", id, false); }
aclError aclrtResetDeviceForce(int32_t id) { return reset("aclrtResetDeviceForce", id, true); }

aclError aclrtGetDevice(int32_t* id) {
  if (!id) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetDevice", "deviceId is null");
  aclError error;
  Context* context = require_context("aclrtGetDevice", error);
  if (context) *id = context->device.id;
  return error;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  if (!count) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetDeviceCount", "count is null");
  return guarded("aclrtGetDeviceCount", [&]() -> aclError {
    *count = static_cast<uint32_t>(device_count());
    return ACL_SUCCESS;
  });
}

aclError aclrtSynchronizeDevice(void) { return synchronize_device("aclrtSynchronizeDevice", -1); }
aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return synchronize_device("aclrtSynchronizeDeviceWithTimeout", timeout);
}

aclError aclrtDeviceTaskAbort(int32_t id, uint32_t) {
  return guarded("aclrtDeviceTaskAbort", [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device("aclrtDeviceTaskAbort", id);
    for (auto& stream : device->live_streams()) stream->abort();
    device->faulted = false;
    return ACL_SUCCESS;
  });
}

}  // extern "C"
