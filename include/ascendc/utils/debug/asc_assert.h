// ascendc_assert and assert. In a kernel a condition that does not hold is printed and ends the block; in
// host code it ends the program as C's assert does. -DASCENDC_DUMP=0 switches both off, -DNDEBUG the second.
// Source: Ascend C API, detecting errors; utilities, assert.
#pragma once
#include <cassert>

#include "toprope/machine/print.h"

namespace toprope::detail {

[[noreturn]] inline void assertion_failed(const char* file, uint32_t line, const char* function,
                                          const char* expression) {
  toprope::assertion_failed(file, line, function, expression, nullptr, nullptr, 0);
}

}  // namespace toprope::detail

#undef assert
#if defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0
#define ascendc_assert(expr, ...) static_cast<void>(0)
#else
/// ascendc_assert(expr) and ascendc_assert(expr, format, arguments…)
#define ascendc_assert(expr, ...) \
  ((expr) ? static_cast<void>(0)  \
          : ::toprope::detail::assertion_failed(__FILE__, __LINE__, nullptr, #expr, ##__VA_ARGS__))
#endif
#if defined(NDEBUG) || (defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0)
#define assert(expr, ...) static_cast<void>(0)
#else
#define assert(expr, ...)     \
  ((expr)                     \
       ? static_cast<void>(0) \
       : ::toprope::detail::assertion_failed(__FILE__, __LINE__, __PRETTY_FUNCTION__, #expr, ##__VA_ARGS__))
#endif

// The name that kernels had for it before.
#ifndef ASSERT
#define ASSERT(expr) ascendc_assert(expr)
#endif

/// Ends the block.
[[gnu::always_inline]] inline void __trap() { toprope::trap(); }
