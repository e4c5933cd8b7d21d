// Where kernels' text goes.
#pragma once
#include <string>

namespace toprope {

/// "[AIV Block 3/8] " on the running core, nothing outside a kernel.
std::string core_prefix();

/// Writes the text to standard output in one piece.
void write_text(const std::string& text);

}  // namespace toprope
