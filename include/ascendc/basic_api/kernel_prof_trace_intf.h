// Marks for the device's profiler and simulator. Source: Ascend C API, performance statistics; utilities,
// TRACE_START, asc_prof_start.
#pragma once
#include "basic_api/kernel_event.h"

namespace AscendC {

inline void MetricsProfStart() {}
inline void MetricsProfStop() {}
template <pipe_t pipe, uint16_t index>
void MarkStamp() {}
template <pipe_t pipe>
void MarkStamp(uint16_t) {}

}  // namespace AscendC

inline void asc_prof_start() {}
inline void asc_prof_stop() {}

// Without -DASCENDC_TRACE_ON they are off on the device, too.
#define TRACE_START(...) static_cast<void>(0)
#define TRACE_STOP(...) static_cast<void>(0)
