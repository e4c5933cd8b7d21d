// Source: Ascend C API, execution mode, Async; Conditional as the samples use it.
#pragma once
#include <type_traits>

#include "basic_api/kernel_operator_sys_var_intf.h"

namespace AscendC {

/// std::conditional under the name that kernels of the basic API use.
template <bool condition, class A, class B>
struct Conditional {
  using type = std::conditional_t<condition, A, B>;
};

enum class EngineType : uint8_t { AIC, AIV };

/// Runs funPtr on the cores of one kind; the others go on.
template <EngineType engine, auto funPtr, class... Args>
[[gnu::always_inline]] inline void Async(Args... args) {
  if (toprope::core().cube == (engine == EngineType::AIC)) funPtr(args...);
}

}  // namespace AscendC
