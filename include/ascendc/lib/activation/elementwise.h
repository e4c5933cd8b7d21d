// Activation functions of one or two tensors. Computed in float throughout: highPrecision and
// highPerformance, which on the device trade precision of half for time, have no effect. Source: Ascend C
// API, high-level API, activation.
#pragma once
#include "lib/elementwise.h"

namespace AscendC {

#include "lib/unary_forms.inc"
TOPROPE_OP(Sigmoid, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Gelu, bool highPrecision = false, bool highPerformance = false)
TOPROPE_COUNT_FORMS(FasterGelu, bool highPrecision = false, bool highPerformance = false)
TOPROPE_COUNT_FORMS(FasterGeluV2, bool highPrecision = false, bool highPerformance = false)
#undef TOPROPE_OP
#undef TOPROPE_WHOLE_FORMS
#undef TOPROPE_COUNT_FORMS

/// x / (1 + e^-x).
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                        uint32_t dataSize) {
  detail::elementwise<toprope::lib::Elementwise::Silu>(dstLocal, srcLocal, srcLocal,
                                                       toprope::lib::Temporary(), dataSize);
}
/// x / (1 + e^(-scalarValue x)).
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                         uint32_t dataSize, const PrimT<T> scalarValue) {
  detail::elementwise<toprope::lib::Elementwise::Swish>(dstLocal, srcLocal, srcLocal,
                                                        toprope::lib::Temporary(), dataSize,
                                                        {static_cast<float>(scalarValue), 0, -1});
}

// srcTensor0 times the activation of srcTensor1.
#define TOPROPE_COUNT_FORMS(Name)                                                                            \
  template <class T, bool isReuseSource = false>                                                             \
  [[gnu::always_inline]] inline void Name(                                                                   \
      const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, const LocalTensor<T>& srcTensor1,   \
      const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {                                \
    detail::elementwise<toprope::lib::Elementwise::Name>(dstTensor, srcTensor0, srcTensor1,                  \
                                                         detail::temporary(sharedTmpBuffer), calCount);      \
  }                                                                                                          \
  template <class T, bool isReuseSource = false>                                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0, \
                                          const LocalTensor<T>& srcTensor1, const uint32_t calCount) {       \
    detail::elementwise<toprope::lib::Elementwise::Name>(dstTensor, srcTensor0, srcTensor1,                  \
                                                         toprope::lib::Temporary(), calCount);               \
  }
TOPROPE_COUNT_FORMS(GeGLU)
TOPROPE_COUNT_FORMS(ReGlu)
#undef TOPROPE_COUNT_FORMS

template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                         const LocalTensor<T>& srcTensor1,
                                         const LocalTensor<uint8_t>& sharedTmpBuffer) {
  GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, sharedTmpBuffer, srcTensor0.GetSize());
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void GeGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                         const LocalTensor<T>& srcTensor1) {
  GeGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, srcTensor0.GetSize());
}

/// srcTensor0 times Swish of srcTensor1; scalarValue is Swish's beta.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                          const LocalTensor<T>& srcTensor1, const float& scalarValue,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                                          const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::SwiGLU>(
      dstTensor, srcTensor0, srcTensor1, detail::temporary(sharedTmpBuffer), calCount, {scalarValue, 0, -1});
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                          const LocalTensor<T>& srcTensor1, const float& scalarValue,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer) {
  SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, sharedTmpBuffer,
                           srcTensor0.GetSize());
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                          const LocalTensor<T>& srcTensor1, const float& scalarValue,
                                          const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::SwiGLU>(
      dstTensor, srcTensor0, srcTensor1, toprope::lib::Temporary(), calCount, {scalarValue, 0, -1});
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void SwiGLU(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor0,
                                          const LocalTensor<T>& srcTensor1, const float& scalarValue) {
  SwiGLU<T, isReuseSource>(dstTensor, srcTensor0, srcTensor1, scalarValue, srcTensor0.GetSize());
}

}  // namespace AscendC
