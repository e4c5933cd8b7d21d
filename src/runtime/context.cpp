#include "runtime/context.h"

#include "runtime/error.h"
#include "runtime/handle.h"
#include "runtime/stream.h"

namespace toprope {
namespace {

thread_local aclrtContext current = nullptr;
std::atomic<int> default_device{-1};

std::mutex process_params_mutex;
// The process starts with every option off (torch_npu reads one before it sets any); a context starts without
// them.
SysParams process_params{0, 0, 0};

aclrtStream make_default_stream(Context& context) {
  auto stream = std::make_shared<Stream>(context.device, 0, 0);
  context.device.add_stream(stream);
  return Handles<Stream>::make(std::move(stream));
}

}  // namespace

Stream& Context::default_stream() {
  if (Stream* stream = default_.load(std::memory_order_acquire)) return *stream;
  return *Handles<Stream>::get(default_stream_handle());
}

aclrtStream Context::default_stream_handle() {
  std::lock_guard lock(mutex);
  if (!default_handle_) {
    default_handle_ = make_default_stream(*this);
    default_.store(Handles<Stream>::get(default_handle_), std::memory_order_release);
  }
  return default_handle_;
}

void Context::close() {
  std::shared_ptr<Stream> stream;
  {
    std::lock_guard lock(mutex);
    default_ = nullptr;
    stream = Handles<Stream>::drop(default_handle_);
    default_handle_ = nullptr;
  }
  if (stream) stream->close();
}

Context* current_context() {
  if (Context* context = Handles<Context>::get(current)) return context;
  const int id = default_device.load(std::memory_order_relaxed);
  if (id < 0) return nullptr;
  enter_device(*find_device(id));
  return Handles<Context>::get(current);
}

aclrtContext current_context_handle() { return current_context() ? current : nullptr; }
void set_current_context(aclrtContext handle) { current = handle; }
void set_default_device(int id) { default_device = id; }

void enter_device(Device& device) {
  std::lock_guard lock(device.mutex);
  if (!device.primary) {
    device.primary = std::make_shared<Context>(device);
    device.primary_handle = Handles<Context>::make(device.primary);
  }
  ++device.set_count;
  current = device.primary_handle;
}

aclError no_context(const char* api) {
  return fail(ACL_ERROR_RT_CONTEXT_NULL, api, "this thread has no device yet; call aclrtSetDevice first");
}

}  // namespace toprope

using namespace toprope;

namespace {

aclError get_param(const char* api, SysParams& params, std::mutex& mutex, aclSysParamOpt opt,
                   int64_t* value) {
  if (!value || static_cast<size_t>(opt) >= params.size())
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "option {} or a null value", static_cast<int>(opt));
  std::lock_guard lock(mutex);
  const auto& held = params[static_cast<size_t>(opt)];
  if (!held)
    return fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, api, "option {} was never set", static_cast<int>(opt));
  *value = *held;
  return ACL_SUCCESS;
}

aclError set_param(const char* api, SysParams& params, std::mutex& mutex, aclSysParamOpt opt, int64_t value) {
  const int64_t most = opt == ACL_OPT_DETERMINISTIC ? 3 : 1;  // levels of determinism, otherwise a switch
  if (static_cast<size_t>(opt) >= params.size() || value < 0 || value > most)
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "option {} takes 0 to {}, not {}", static_cast<int>(opt),
                most, value);
  std::lock_guard lock(mutex);
  params[static_cast<size_t>(opt)] = value;
  return ACL_SUCCESS;
}

}  // namespace

extern "C" {

aclError aclrtCreateContext(aclrtContext* context, int32_t id) {
  if (!context) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtCreateContext", "context is null");
  return guarded("aclrtCreateContext", [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device("aclrtCreateContext", id);
    *context = Handles<Context>::make(std::make_shared<Context>(*device));
    set_current_context(*context);
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return guarded("aclrtDestroyContext", [&]() -> aclError {
    if (Context* live = Handles<Context>::get(context); live && live->device.primary_handle == context)
      return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyContext",
                  "this is the primary context of device {}; aclrtResetDevice ends it", live->device.id);
    const auto dropped = Handles<Context>::drop(context);
    if (!dropped)
      return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyContext", "context {} does not exist (any more)",
                  fmt::ptr(context));
    dropped->close();
    if (current == context) current = nullptr;
    return ACL_SUCCESS;
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  if (!Handles<Context>::get(context))
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtSetCurrentContext", "context {} does not exist (any more)",
                fmt::ptr(context));
  set_current_context(context);
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (!context) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtGetCurrentContext", "context is null");
  return guarded("aclrtGetCurrentContext", [&]() -> aclError {
    *context = current_context_handle();
    return *context ? ACL_SUCCESS : no_context("aclrtGetCurrentContext");
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  if (!stream) return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtCtxGetCurrentDefaultStream", "stream is null");
  return guarded("aclrtCtxGetCurrentDefaultStream", [&]() -> aclError {
    aclError error;
    Context* context = require_context("aclrtCtxGetCurrentDefaultStream", error);
    if (context) *stream = context->default_stream_handle();
    return error;
  });
}

aclError aclrtGetPrimaryCtxState(int32_t id, uint32_t* flags, int32_t* active) {
  return guarded("aclrtGetPrimaryCtxState", [&]() -> aclError {
    Device* device = find_device(id);
    if (!device) return no_such_device("aclrtGetPrimaryCtxState", id);
    std::lock_guard lock(device->mutex);
    if (flags) *flags = 0;
    if (active) *active = device->primary != nullptr;
    return ACL_SUCCESS;
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  aclError error;
  Context* context = require_context("aclrtCtxGetSysParamOpt", error);
  return context ? get_param("aclrtCtxGetSysParamOpt", context->params, context->mutex, opt, value) : error;
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  aclError error;
  Context* context = require_context("aclrtCtxSetSysParamOpt", error);
  return context ? set_param("aclrtCtxSetSysParamOpt", context->params, context->mutex, opt, value) : error;
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return get_param("aclrtGetSysParamOpt", process_params, process_params_mutex, opt, value);
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return set_param("aclrtSetSysParamOpt", process_params, process_params_mutex, opt, value);
}

}  // extern "C"
