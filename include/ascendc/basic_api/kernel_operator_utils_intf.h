// Source: Ascend C API, execution mode, Async.
#pragma once
#include "basic_api/kernel_operator_sys_var_intf.h"

namespace AscendC {

enum class EngineType : uint8_t { AIC, AIV };

/// Runs funPtr on the cores of one kind; the others go on.
template <EngineType engine, auto funPtr, class... Args>
[[gnu::always_inline]] inline void Async(Args... args) {
  if (toprope::core().cube == (engine == EngineType::AIC)) funPtr(args...);
}

}  // namespace AscendC
