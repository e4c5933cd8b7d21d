// Arange. Source: Ascend C API, high-level API, index computation.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/lib/filter.h"

namespace AscendC {

/// dst[i] = firstValue + i * diffValue.
template <class T>
[[gnu::always_inline]] inline void Arange(const LocalTensor<T>& dst, const PrimT<T> firstValue,
                                          const PrimT<T> diffValue, const int32_t count) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  using namespace toprope::types;
  static_assert(toprope::contains(I16 | F16 | I32 | F32, type),
                "Arange takes int16_t, half, int32_t or float on this chip");
  toprope::lib::arange(type, dst.slice(), static_cast<double>(firstValue), static_cast<double>(diffValue),
                       count > 0 ? static_cast<uint32_t>(count) : 0);
}
/// The older name of Arange.
template <class T>
[[gnu::always_inline]] inline void ArithProgression(const LocalTensor<T>& dst, const PrimT<T> firstValue,
                                                    const PrimT<T> diffValue, const int32_t count) {
  Arange(dst, firstValue, diffValue, count);
}

}  // namespace AscendC
