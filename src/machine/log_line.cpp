// The log of host code that includes utils/log/asc_cpu_log.h. A line says, after its level, which program it
// comes from and when, and where in it; so the documents show it.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <string>

#include "base/log.h"
#include "toprope/machine/log.h"

namespace toprope {
namespace {

/// 2025-01-31-12:34:56.789.012
std::string time_now() {
  using namespace std::chrono;
  const auto now = system_clock::now();
  const std::time_t seconds = system_clock::to_time_t(now);
  const auto micros = duration_cast<microseconds>(now.time_since_epoch()).count() % 1000000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char text[64];
  const size_t n = std::strftime(text, sizeof text, "%Y-%m-%d-%H:%M:%S", &parts);
  std::snprintf(text + n, sizeof text - n, ".%03d.%03d", static_cast<int>(micros / 1000),
                static_cast<int>(micros % 1000));
  return text;
}

}  // namespace

void log_line(int level, const char* file, uint32_t line, const char* function, const char* format, ...) {
  const auto of_line = static_cast<LogLevel>(level);
  if (!log_enabled(of_line)) return;
  std::va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  std::string text(static_cast<size_t>(std::max(0, std::vsnprintf(nullptr, 0, format, again))), '\0');
  va_end(again);
  std::vsnprintf(text.data(), text.size() + 1, format, args);
  va_end(args);
  while (!text.empty() && text.back() == '\n') text.pop_back();  // a line has one end
  log(of_line, "ASCENDCKERNEL(" + std::to_string(getpid()) + "," + program_invocation_short_name + "):" +
                   time_now() + " [" + file + ":" + std::to_string(line) + "][" + function + "] " + text);
}

}  // namespace toprope
