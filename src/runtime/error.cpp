#include "runtime/error.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iterator>

#include "acl/acl_rt.h"
#include "base/log.h"

namespace toprope {
namespace {

struct ErrorName {
  int code;
  const char* name;
};

constexpr ErrorName names[] = {
#include "runtime/error_names.inc"
};

thread_local std::string message, taken;
thread_local aclError last_error = ACL_SUCCESS;

}  // namespace

const char* error_name(aclError code) {
  const auto found = std::lower_bound(std::begin(names), std::end(names), code,
                                      [](const ErrorName& n, aclError c) { return n.code < c; });
  return found != std::end(names) && found->code == code ? found->name : "unknown";
}

aclError fail_with(aclError code, const char* api, const std::string& text) {
  message = fmt::format("{}: {} [{} {}]", api, text, code, error_name(code));
  last_error = code;
  log(LogLevel::Info, message);
  return code;
}

const std::string& recent_message() { return message; }

aclError unsupported(const char* api, const char* what) {
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "Toprope does not serve this function ({})", what);
}

}  // namespace toprope

using namespace toprope;

extern "C" {

const char* aclGetRecentErrMsg() {
  taken = std::move(message);
  message.clear();
  return taken.c_str();
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  const aclError error = aclrtPeekAtLastError(level);
  if (level == ACL_RT_THREAD_LEVEL) last_error = ACL_SUCCESS;
  return error;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL) return ACL_ERROR_RT_PARAM_INVALID;
  return last_error;
}

void aclAppLog(aclLogLevel level, const char* func, const char* file, uint32_t line, const char* fmt, ...) {
  if (!fmt || level < ACL_DEBUG || level > ACL_ERROR || !log_enabled(static_cast<LogLevel>(level))) return;
  va_list args, again;
  va_start(args, fmt);
  va_copy(again, args);
  std::string text(static_cast<size_t>(std::max(0, std::vsnprintf(nullptr, 0, fmt, again))), '\0');
  va_end(again);
  std::vsnprintf(text.data(), text.size() + 1, fmt, args);
  va_end(args);
  log(static_cast<LogLevel>(level),
      fmt::format("{}:{} {}: {}", file ? file : "?", line, func ? func : "?", text));
}

}  // extern "C"
