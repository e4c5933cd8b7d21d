// Timeouts that the program sets for all streams.
#pragma once
#include <chrono>

namespace toprope {

/// aclrtSetOpWaitTimeout; 0: wait for ever.
std::chrono::seconds op_wait_timeout();

}  // namespace toprope
