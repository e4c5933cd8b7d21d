// A CPU kernel run for an npu tensor reads and writes device memory at once, on the calling thread. Where
// work may still wait in front of it (torch_npu's task queue, streams that run later than they are fed) that
// work is finished first.
#pragma once
#include <c10/core/Device.h>

namespace toprope::torch_side {

/// Decides once whether anything can wait: the task queue (TASK_QUEUE_ENABLE) or the stream mode.
void install_stream_order();

/// Set by install_stream_order; false in the default setting, so that an operator pays one load for it.
extern bool work_may_wait;

/// Finishes what was submitted to the current stream of `device`. Throws what the stream reports.
void finish_current_stream(c10::Device device);

inline void in_stream_order(c10::Device device) {
  if (C10_UNLIKELY(work_may_wait)) finish_current_stream(device);
}

}  // namespace toprope::torch_side
