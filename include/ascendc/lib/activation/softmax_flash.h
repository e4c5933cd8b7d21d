// SoftmaxFlash, SoftmaxFlashV2, SoftmaxFlashV3: softmax over rows that come in pieces, with the maxima and
// sums of what came before. Source: Ascend C API, high-level API, activation, SoftMax.
#pragma once
#include "lib/activation/softmax.h"

namespace AscendC {

#include "lib/forms.inc"
#define TOPROPE_TENSORS(D, S)                                                                        \
  const LocalTensor<D>&dstTensor, const LocalTensor<S>&expSumTensor, const LocalTensor<S>&maxTensor, \
      const LocalTensor<D>&srcTensor, const LocalTensor<D>&expMaxTensor,                             \
      const LocalTensor<S>&inExpSumTensor, const LocalTensor<S>&inMaxTensor
#define TOPROPE_OPERANDS                                                                               \
  dstTensor.slice(), expSumTensor.slice(), maxTensor.slice(), srcTensor.slice(), expMaxTensor.slice(), \
      inExpSumTensor.slice(), inMaxTensor.slice()

#define TOPROPE_FLASH(D, S)                                                                              \
  TOPROPE_FORMS(                                                                                         \
      SoftmaxFlash, TOPROPE_LIST(class T, bool isReuseSource = false, bool isBasicBlock = false),        \
      TOPROPE_LIST(TOPROPE_TENSORS(D, S)),                                                               \
      TOPROPE_LIST(const SoftMaxTiling& tiling, bool isUpdate = false,                                   \
                   const SoftMaxShapeInfo& softmaxShapeInfo = {}),                                       \
      TOPROPE_LIST(toprope::lib::softmax(                                                                \
          toprope::lib::SoftmaxKind::Flash, detail::softmax_types<D, S>(), {TOPROPE_OPERANDS}, isUpdate, \
          detail::softmax_shape<SOFTMAX_DEFAULT_CFG>(srcTensor, softmaxShapeInfo, tiling, false),        \
          temporary)))
#define TOPROPE_TEMPLATE                                                                 \
  class T, bool isUpdate = false, bool isReuseSource = false, bool isBasicBlock = false, \
                bool isDataFormatNZ = false, const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG
#define TOPROPE_FLASH_V2(D, S)                                                                             \
  TOPROPE_FORMS(                                                                                           \
      SoftmaxFlashV2, TOPROPE_LIST(TOPROPE_TEMPLATE), TOPROPE_LIST(TOPROPE_TENSORS(D, S)),                 \
      TOPROPE_LIST(const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}),            \
      TOPROPE_LIST(toprope::lib::softmax(                                                                  \
          toprope::lib::SoftmaxKind::FlashV2, detail::softmax_types<D, S>(), {TOPROPE_OPERANDS}, isUpdate, \
          detail::softmax_shape<config>(srcTensor, softmaxShapeInfo, tiling, isDataFormatNZ), temporary)))
TOPROPE_FLASH(T, T)
TOPROPE_FLASH(half, float)
TOPROPE_FLASH_V2(T, T)
TOPROPE_FLASH_V2(half, float)

/// With the maxima of the rows themselves, before those of what came before: only with isUpdate, and only
/// where values of rows are one element each; otherwise the page says that nothing happens.
TOPROPE_FORMS(
    SoftmaxFlashV2, TOPROPE_LIST(TOPROPE_TEMPLATE),
    TOPROPE_LIST(const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,
                 const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,
                 const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                 const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor),
    TOPROPE_LIST(const SoftMaxTiling& tiling, const SoftMaxShapeInfo& softmaxShapeInfo = {}),
    TOPROPE_LIST(if constexpr (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) toprope::lib::softmax(
        toprope::lib::SoftmaxKind::FlashV2, detail::softmax_types<T, T>(),
        {TOPROPE_OPERANDS, outReduceMax.slice()}, isUpdate,
        detail::softmax_shape<config>(srcTensor, softmaxShapeInfo, tiling, false), temporary)))

TOPROPE_FORMS(SoftmaxFlashV3,
              TOPROPE_LIST(class T, class U, bool isUpdate = false, bool isReuseSource = false,
                           bool isBasicBlock = false, bool isDataFormatNZ = false,
                           const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG),
              TOPROPE_LIST(const LocalTensor<T>& dstTensor, const LocalTensor<U>& meanTensor,
                           const LocalTensor<U>& expSumTensor, const LocalTensor<U>& maxTensor,
                           const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
                           const LocalTensor<U>& inMeanTensor, const LocalTensor<U>& inExpSumTensor,
                           const LocalTensor<U>& inMaxTensor),
              TOPROPE_LIST(const SoftMaxTiling&, const SoftMaxParams& params),
              TOPROPE_LIST(toprope::lib::softmax_shifted(
                  detail::softmax_types<T, U>(),
                  {TOPROPE_OPERANDS, {}, meanTensor.slice(), inMeanTensor.slice()}, isUpdate,
                  {params.loopCnt, params.alpha}, {params.srcM, params.srcK, params.srcK, false, false},
                  temporary)))
#undef TOPROPE_FLASH_V2
#undef TOPROPE_TEMPLATE
#undef TOPROPE_FLASH
#undef TOPROPE_OPERANDS
#undef TOPROPE_TENSORS
#undef TOPROPE_FORMS
#undef TOPROPE_LIST

}  // namespace AscendC
