// From Ascend C to C++: launches become calls of toprope::launch, variables in local memories get their place
// there, kernels are declared to the runtime. Lines keep their numbers and, outside macros, tokens their
// columns.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "driver/kernels.h"
#include "driver/source.h"

namespace toprope::driver {

struct Rewritten {
  std::string text;
  std::vector<Kernel> kernels;
  std::vector<Diagnostic> diagnostics;  ///< in the text's order; `text` is of use only when none is an error

  /// A macro holds a kernel or a part of a launch: the text must come with its macros expanded. `text` is
  /// then of no use.
  bool needs_expansion = false;
};

/// Rewrites `text` (preprocessed or not), known as `file`. Text without launch, kernel and local variable
/// comes back as it is. With `stubs`, functions `aclrtlaunch_<kernel>` follow for every kernel that is
/// defined and is no template; with `manual_sync`, the runtime learns that the kernels were compiled with
/// --cce-auto-sync=off.
Rewritten rewrite(std::string_view text, const std::string& file, bool stubs = false,
                  bool manual_sync = false);

/// `text` as a C string literal.
std::string string_literal(std::string_view text);

}  // namespace toprope::driver
