// clock() counts time since the program's start in C's own unit; asc_time_stamp prints the time of its line.
// Source: Ascend C API, utilities, clock and asc_time_stamp.
#pragma once
#include <ctime>

#include "toprope/machine/print.h"
#include "toprope/machine/system.h"

/// Prints with -DASCENDC_TIME_STAMP_ON; nothing without, as on the device.
[[gnu::always_inline]] static inline void asc_time_stamp([[maybe_unused]] uint32_t desc_id) {
#ifdef ASCENDC_TIME_STAMP_ON
  const int64_t now = toprope::system_cycle();
  toprope::detail::print_all("descId is %u, rsv is 0, timeStamp is %lld, pcPtr is %lld, entry is %lld.\n",
                             desc_id, now, toprope::program_counter(), now);
#endif
}
