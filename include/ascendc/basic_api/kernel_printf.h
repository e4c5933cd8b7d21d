// AscendC::printf. Source: Ascend C API, utilities, printf.
#pragma once
#include <cstdio>

#include "toprope/driver/words.h"
#include "toprope/machine/print.h"

namespace AscendC {

namespace detail {
// Files of one program may differ in it: what asks for it has internal linkage, as on the device.
#if defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0
constexpr bool prints = false;
#else
constexpr bool prints = true;
#endif

/// What C's printf takes for a value.
template <class T>
decltype(auto) c_argument(const T& value) {
  if constexpr (std::is_same_v<T, toprope::half> || std::is_same_v<T, toprope::bfloat16>)
    return static_cast<float>(value);
  else if constexpr (std::is_class_v<T>)
    return static_cast<int64_t>(value);
  else
    return (value);
}
}  // namespace detail

/// Prints from a kernel in one piece, "[AIV Block i/n] " in front. In host code it is C's printf.
template <class... Args>
[[gnu::always_inline]] static inline int(printf)(const char* fmt, const Args&... args) {
  if (toprope::current_core) {
    if constexpr (detail::prints)
      return toprope::detail::print_all(fmt, args...);
    else
      return 0;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return (std::printf)(fmt, detail::c_argument(args)...);
#pragma GCC diagnostic pop
}

template <class... Args>
[[gnu::always_inline]] static inline int PRINTF(const char* fmt, const Args&... args) {
  return (AscendC::printf)(fmt, args...);
}

}  // namespace AscendC
