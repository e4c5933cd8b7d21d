// clock() counts cycles of the core since the program's start; asc_time_stamp prints the time of its line.
// Source: Ascend C API, utilities, clock and asc_time_stamp.
#pragma once
#include <ctime>

#include "toprope/machine/print.h"
#include "toprope/machine/system.h"

/// Cycles in a kernel. On the host it is the C library's function, whose name it has and which counts the
/// program's computing time in CLOCKS_PER_SEC.
[[gnu::always_inline]] inline uint64_t toprope_clock() {
  return toprope::current_core ? toprope::core_cycle() : static_cast<uint64_t>(::clock());
}
namespace std {
using ::toprope_clock;
}
#define clock() toprope_clock()

/// Prints with -DASCENDC_TIME_STAMP_ON; nothing without, as on the device.
[[gnu::always_inline]] static inline void asc_time_stamp([[maybe_unused]] uint32_t desc_id) {
#ifdef ASCENDC_TIME_STAMP_ON
  const int64_t now = toprope::system_cycle();
  toprope::detail::print_all("descId is %u, rsv is 0, timeStamp is %lld, pcPtr is %lld, entry is %lld.\n",
                             desc_id, now, toprope::program_counter(), now);
#endif
}
