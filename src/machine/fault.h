// Refusing an instruction: the report and the way out of the kernel.
#pragma once
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "machine/observer.h"
#include "machine/run.h"

namespace toprope {

/// Unwinds the kernel of one block; caught by the block runner only.
struct KernelAbort : std::exception {
  KernelAbort(Fault f, std::string text) : fault(f), report(std::move(text)) {}
  const char* what() const noexcept override { return report.c_str(); }
  Fault fault;
  std::string report;
};

/// What refuse() throws; observers have been told when it returns. `what` names operand, found and expected;
/// `cure` says what to change. The report adds instruction, kernel, block and, where it is known, source
/// line.
KernelAbort refusal(const Core& core, std::string_view instruction, std::string_view what,
                    std::string_view cure, Site site, Fault fault = Fault::Exception);

/// Ends the running block.
[[noreturn]] void refuse(Core& core, std::string_view instruction, std::string_view what,
                         std::string_view cure, Site site, Fault fault = Fault::Exception);

}  // namespace toprope
