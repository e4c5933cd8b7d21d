// A context: a device and a default stream; each thread has at most one current context.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "acl/acl_rt.h"
#include "runtime/device.h"

namespace toprope {

/// aclSysParamOpt → value, where set.
using SysParams = std::array<std::optional<int64_t>, 3>;

class Context : public std::enable_shared_from_this<Context> {
 public:
  static constexpr uint32_t kMagic = 0x43545854;

  explicit Context(Device& d) : device(d) {}

  Device& device;
  std::mutex mutex;
  SysParams params;

  /// Created when first used.
  Stream& default_stream();
  aclrtStream default_stream_handle();

  /// Ends the default stream after its work.
  void close();

 private:
  std::atomic<Stream*> default_{nullptr};
  aclrtStream default_handle_ = nullptr;
};

/// The thread's context: set by it, or the configured default device's; null when there is none.
Context* current_context();
aclrtContext current_context_handle();
void set_current_context(aclrtContext handle);

/// Makes the primary context of `device` current, creating it when needed.
void enter_device(Device& device);

/// The device that threads without a context use (acl.json), -1: none.
void set_default_device(int id);

/// The current context, or a failure of `api` with what to do about it.
inline Context* require_context(const char* api, aclError& error);
aclError no_context(const char* api);

inline Context* require_context(const char* api, aclError& error) {
  Context* context = current_context();
  error = context ? ACL_SUCCESS : no_context(api);
  return context;
}

}  // namespace toprope
