// Power and Fmod. Their configurations choose algorithms on other chips and have no effect on this one.
// Source: Ascend C API, high-level API, mathematics, Power and Fmod.
#pragma once
#include "lib/elementwise.h"
#include "lib/math/algorithms.h"
#include "toprope/lib/integer.h"

namespace AscendC {

namespace detail {

/// scalar: which source is the number `value` instead of a tensor; -1 for none.
template <class T>
[[gnu::always_inline]] inline void power(const LocalTensor<T>& dst, const LocalTensor<T>& base,
                                         const LocalTensor<T>& exponent, int scalar, PrimT<T> value,
                                         const toprope::lib::Temporary& temporary, uint32_t count) {
  if constexpr (std::is_same_v<PrimT<T>, int32_t>)
    toprope::lib::power_int(dst.slice(), base.slice(), exponent.slice(), {scalar, value}, temporary, count);
  else
    elementwise<toprope::lib::Elementwise::Power>(dst, base, exponent, temporary, count,
                                                  {static_cast<float>(value), 0, scalar});
}

}  // namespace detail

// base^exponent for half, float and int32_t; Arguments: the two sources, one of which may be a number.
#define TOPROPE_OP(Arguments, Base, Exponent, scalar, value, size)                                           \
  template <class T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>             \
  [[gnu::always_inline]] inline void Power(const LocalTensor<T>& dstTensor, Arguments,                       \
                                           const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t calCount) { \
    detail::power<T>(dstTensor, Base, Exponent, scalar, value, detail::temporary(sharedTmpBuffer),           \
                     calCount);                                                                              \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>             \
  [[gnu::always_inline]] inline void Power(const LocalTensor<T>& dstTensor, Arguments,                       \
                                           const LocalTensor<uint8_t>& sharedTmpBuffer) {                    \
    detail::power<T>(dstTensor, Base, Exponent, scalar, value, detail::temporary(sharedTmpBuffer), size);    \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>             \
  [[gnu::always_inline]] inline void Power(const LocalTensor<T>& dstTensor, Arguments, uint32_t calCount) {  \
    detail::power<T>(dstTensor, Base, Exponent, scalar, value, toprope::lib::Temporary(), calCount);         \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const PowerConfig& config = defaultPowerConfig>             \
  [[gnu::always_inline]] inline void Power(const LocalTensor<T>& dstTensor, Arguments) {                     \
    detail::power<T>(dstTensor, Base, Exponent, scalar, value, toprope::lib::Temporary(), size);             \
  }
#define TOPROPE_TWO(First, Second) First, Second
TOPROPE_OP(TOPROPE_TWO(const LocalTensor<T>& src0Tensor, const LocalTensor<T>& src1Tensor), src0Tensor,
           src1Tensor, -1, PrimT<T>(0), src0Tensor.GetSize())
TOPROPE_OP(TOPROPE_TWO(const LocalTensor<T>& src0Tensor, const PrimT<T>& src1Scalar), src0Tensor, src0Tensor,
           1, src1Scalar, src0Tensor.GetSize())
TOPROPE_OP(TOPROPE_TWO(const PrimT<T>& src0Scalar, const LocalTensor<T>& src1Tensor), src1Tensor, src1Tensor,
           0, src0Scalar, src1Tensor.GetSize())
#undef TOPROPE_TWO
#undef TOPROPE_OP

/// The remainder of src0Tensor / src1Tensor, with the sign of src0Tensor.
template <class T, bool isReuseSource = false, const FmodConfig& config = DEFAULT_FMOD_CONFIG>
[[gnu::always_inline]] inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                        const LocalTensor<T>& src1Tensor,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                                        const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::Fmod>(dstTensor, src0Tensor, src1Tensor,
                                                       detail::temporary(sharedTmpBuffer), calCount);
}
template <class T, bool isReuseSource = false, const FmodConfig& config = DEFAULT_FMOD_CONFIG>
[[gnu::always_inline]] inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                        const LocalTensor<T>& src1Tensor,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer) {
  Fmod<T, isReuseSource, config>(dstTensor, src0Tensor, src1Tensor, sharedTmpBuffer, src0Tensor.GetSize());
}
template <class T, bool isReuseSource = false, const FmodConfig& config = DEFAULT_FMOD_CONFIG>
[[gnu::always_inline]] inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                        const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::Fmod>(dstTensor, src0Tensor, src1Tensor,
                                                       toprope::lib::Temporary(), calCount);
}
template <class T, bool isReuseSource = false, const FmodConfig& config = DEFAULT_FMOD_CONFIG>
[[gnu::always_inline]] inline void Fmod(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                        const LocalTensor<T>& src1Tensor) {
  Fmod<T, isReuseSource, config>(dstTensor, src0Tensor, src1Tensor, src0Tensor.GetSize());
}

}  // namespace AscendC
