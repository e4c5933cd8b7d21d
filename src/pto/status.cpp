#include "pto/status.h"

namespace pto {
namespace {

thread_local std::string last_error;

}  // namespace

pto_status fail(pto_status status, const char* text) noexcept {
  try {
    last_error = text;
  } catch (...) {
    last_error.clear();
  }
  return status;
}

}  // namespace pto

const char* pto_last_error(void) { return pto::last_error.c_str(); }

int pto_version(void) { return PTO_VERSION_MAJOR * 1000 + PTO_VERSION_MINOR; }
