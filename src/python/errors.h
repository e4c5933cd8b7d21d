// The C API's answers as Python exceptions.
#pragma once
#include <string>

#include "pto/pto.h"

namespace pypto {

/// Raises the class that pypto.errors has for the status.
[[noreturn]] void raise(pto_status status, const std::string& text);

inline void check(pto_status status) {
  if (status != PTO_OK) [[unlikely]]
    raise(status, pto_last_error());
}

}  // namespace pypto
