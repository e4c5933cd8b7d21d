// printf's formats over typed values.
#pragma once
#include <string>

#include "toprope/machine/print.h"

namespace toprope {

/// What printf would write. A conversion that does not fit its argument, or has none, shows as <…> in the
/// text.
std::string formatted(const char* format, const PrintArgument* arguments, size_t count);

}  // namespace toprope
