// From a return address to the user's source line. Slow (it runs addr2line), so only for reports.
#pragma once
#include <cstdint>
#include <string>

namespace toprope {

struct SourcePosition {
  std::string function;  ///< demangled; empty when unknown
  std::string file;
  uint32_t line = 0;
  explicit operator bool() const { return line != 0; }
};

/// The innermost position behind `return_address` that is not in Toprope's own headers. Inlined calls are
/// seen through, so an instruction called in KernelAdd::Compute is found there even when everything was
/// inlined.
SourcePosition locate(const void* return_address);

/// The library or program that holds the address; empty when none does.
std::string module_path(const void* address);

/// "add_custom.asc:42 in KernelAdd::Compute()", or the module and offset when there is no debug information.
std::string describe(const void* return_address);

}  // namespace toprope
