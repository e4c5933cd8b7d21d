#include "torch/stream_order.h"

#include <c10/core/DeviceGuard.h>

#include <cstdlib>
#include <cstring>

#include "base/config.h"
#include "torch_npu/csrc/core/npu/NPUStream.h"

namespace toprope::torch_side {

bool work_may_wait = true;

void install_stream_order() {
  const char* queue = std::getenv("TASK_QUEUE_ENABLE");
  const bool queued = queue == nullptr || std::strcmp(queue, "0") != 0;
  work_may_wait = queued || config().stream != StreamMode::Eager;
}

void finish_current_stream(c10::Device device) {
  const c10::DeviceGuard guard(device);  // torch_npu makes a device's streams while the device is current
  c10_npu::getCurrentNPUStream(device.index()).synchronize();
}

}  // namespace toprope::torch_side
