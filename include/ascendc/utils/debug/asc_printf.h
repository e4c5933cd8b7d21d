// printf in kernels without a namespace. One text serves host and device here, and C's printf would win every
// call without arguments, so the word is a macro for a function that asks where it runs. In host code it is
// C's printf. Source: Ascend C API, utilities, printf.
#pragma once
#include "basic_api/kernel_printf.h"

template <class... Args>
[[gnu::always_inline]] static inline int toprope_printf(const char* fmt, const Args&... args) {
  return (AscendC::printf)(fmt, args...);
}

// std::printf( and AscendC::printf( are caught by the macro, too.
namespace std {
using ::toprope_printf;
}
namespace AscendC {
using ::toprope_printf;
}

#define printf(...) toprope_printf(__VA_ARGS__)
