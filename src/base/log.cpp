#include "base/log.h"

#include <cstdio>
#include <string>

#include "base/config.h"

namespace toprope {

bool log_enabled(LogLevel level) {
  try {
    return static_cast<int>(level) >= config().log_level;
  } catch (const ConfigError&) {
    return level == LogLevel::Error;  // the refused variable is reported by whoever needs its value
  }
}

void log(LogLevel level, std::string_view text) {
  if (!log_enabled(level)) return;
  static constexpr const char* names[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  const std::string line =
      "[" + std::string(names[static_cast<int>(level)]) + "] " + std::string(text) + "\n";
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace toprope
