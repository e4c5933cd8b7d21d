// One line to standard error, filtered by ASCEND_GLOBAL_LOG_LEVEL.
#pragma once
#include <cstdint>
#include <string_view>

namespace toprope {

enum class LogLevel : uint8_t { Debug, Info, Warning, Error };

/// Whether a line of this level would be written.
bool log_enabled(LogLevel level);

/// Writes "[LEVEL] text"; does nothing when the level is filtered.
void log(LogLevel level, std::string_view text);

}  // namespace toprope
