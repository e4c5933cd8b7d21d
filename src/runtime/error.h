// Status codes with their text: what aclGetRecentErrMsg and aclrtGetLastError answer on this thread.
#pragma once
#include <fmt/format.h>

#include <new>
#include <string>
#include <utility>

#include "acl/acl_base.h"
#include "base/config.h"

namespace toprope {

/// Remembers `code` and "api: text [code NAME]" for this thread; answers `code`.
aclError fail_with(aclError code, const char* api, const std::string& text);

template <class... Args>
aclError fail(aclError code, const char* api, fmt::format_string<Args...> format, Args&&... args) {
  return fail_with(code, api, fmt::format(format, std::forward<Args>(args)...));
}

/// What aclGetRecentErrMsg would answer, without taking it.
const std::string& recent_message();

/// A name that is exported because it is linked or looked up, but not served.
aclError unsupported(const char* api, const char* what);

/// "ACL_ERROR_RT_PARAM_INVALID", or "unknown" for a number that no header defines.
const char* error_name(aclError code);

/// Runs the body of a C entry point; what it throws becomes a status code.
template <class Body>
aclError guarded(const char* api, Body&& body) noexcept {
  try {
    return body();
  } catch (const ConfigError& e) {
    return fail_with(ACL_ERROR_INVALID_PARAM, api, e.what());
  } catch (const std::bad_alloc&) {
    return fail_with(ACL_ERROR_BAD_ALLOC, api, "the host has no memory left");
  } catch (const std::exception& e) {
    return fail_with(ACL_ERROR_INTERNAL_ERROR, api, e.what());
  }
}

}  // namespace toprope
