// The reporting side of profiling, which torch_npu links. A registered callback is told when profiling
// starts; it never does, so nothing is ever reported and a report that comes anyway is refused.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/error.h"

#define MSPROF_API __attribute__((visibility("default")))

using namespace toprope;

namespace {

constexpr const char* kProfiling = "profiling";

}  // namespace

extern "C" {

MSPROF_API int32_t MsprofRegisterCallback(uint32_t, void*) { return 0; }
MSPROF_API int32_t MsprofReportApi(uint32_t, const void*) {
  return unsupported("MsprofReportApi", kProfiling);
}
MSPROF_API int32_t MsprofReportCompactInfo(uint32_t, const void*, uint32_t) {
  return unsupported("MsprofReportCompactInfo", kProfiling);
}
MSPROF_API int32_t MsprofReportAdditionalInfo(uint32_t, const void*, uint32_t) {
  return unsupported("MsprofReportAdditionalInfo", kProfiling);
}

/// 64-bit FNV-1a: the same text has the same id.
MSPROF_API uint64_t MsprofGetHashId(const char* text, size_t length) {
  uint64_t hash = 14695981039346656037ull;
  if (text)
    for (unsigned char c : std::string_view(text, length)) hash = (hash ^ c) * 1099511628211ull;
  return hash;
}

MSPROF_API uint64_t MsprofSysCycleTime() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // extern "C"
