// Small functions of numbers that kernels call. min and max stand in the global namespace, as the device
// compiler has them; they are no templates, so that std::min beside them is not ambiguous.
#pragma once
#include <cstdint>

#define TOPROPE_OP(T)                                 \
  constexpr T min(T a, T b) { return b < a ? b : a; } \
  constexpr T max(T a, T b) { return a < b ? b : a; }
TOPROPE_OP(int32_t)
TOPROPE_OP(uint32_t)
TOPROPE_OP(int64_t)
TOPROPE_OP(uint64_t)
TOPROPE_OP(float)
#undef TOPROPE_OP

namespace AscendC {

/// a / b, rounded up; for whole numbers.
template <class T, class U>
constexpr T DivCeil(T a, U b) {
  return static_cast<T>((a + b - 1) / b);
}

}  // namespace AscendC
