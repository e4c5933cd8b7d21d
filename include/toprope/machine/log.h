// The program's log, for code that the user's headers bring.
#pragma once
#include <cstdint>

namespace toprope {

/// A line with its place, if ASCEND_GLOBAL_LOG_LEVEL admits `level`: 0 debug, 1 info, 2 warning, 3 error. The
/// format is printf's.
[[gnu::format(printf, 5, 6)]] void log_line(int level, const char* file, uint32_t line, const char* function,
                                            const char* format, ...);

}  // namespace toprope
