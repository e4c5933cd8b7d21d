// Whether instructions may be loaded, and the calling thread's device.
#pragma once

namespace pto {

bool initialized();

int current_device();

}  // namespace pto
