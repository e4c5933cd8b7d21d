// What belongs to a core as a whole, and Conditional as the samples use it. Source: Ascend C API, execution
// mode, Async; CTRL[48] of SetCtrlSpr.
#pragma once
#include <type_traits>

#include "basic_api/kernel_operator_sys_var_intf.h"
#include "toprope/isa/control.h"

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

class AscendCUtils {
 public:
  /// Not 0: results beyond a type's range are inf or nan; 0: they saturate.
  [[gnu::always_inline]] static void SetOverflow(uint64_t ctrlValue) {
    toprope::isa::saturate_floats(ctrlValue == 0);
  }
};

}  // namespace AscendC
