// KERNEL_LOG and ASCENDC_ASSERT, as kernels written for the vendor's CPU mode use them:
// ASCENDC_ASSERT(condition, { KERNEL_LOG(KERNEL_ERROR, "format", arguments…); }).
#pragma once
#include "basic_api/kernel_printf.h"
#include "utils/debug/asc_assert.h"

#define KERNEL_LOG(level, fmt, ...) (AscendC::printf)("[" #level "] " fmt "\n", ##__VA_ARGS__)

/// When the condition does not hold, runs the statement and ends the block.
#define ASCENDC_ASSERT(cond, behavior)                                         \
  do {                                                                         \
    if (!(cond)) {                                                             \
      behavior;                                                                \
      ::toprope::detail::assertion_failed(__FILE__, __LINE__, nullptr, #cond); \
    }                                                                          \
  } while (false)
