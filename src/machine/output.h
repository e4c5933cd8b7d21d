// Where kernels' text goes.
#pragma once
#include <cstdint>
#include <string>

namespace toprope {

/// Bytes that one call may print from a kernel: 30 KB, or what aclInit's configuration says.
inline constexpr uint64_t kPrintLimit = 30 * 1024;
uint64_t print_limit();
void set_print_limit(uint64_t bytes);

/// "[AIV Block 3/8] " on the running core, nothing outside a kernel.
std::string core_prefix();

/// Writes the text to standard output in one piece.
void write_text(const std::string& text);

}  // namespace toprope
