// SoftMax, SimpleSoftMax, LogSoftMax, SoftmaxGrad, SoftmaxGradFront. Forms without sharedTmpBuffer work in
// what no InitBuffer has taken of UB. How many rows are computed at once follows from that memory; the tiling
// only serves as the shape where no other is given. Source: Ascend C API, high-level API, activation, SoftMax
// and LogSoftMax.
#pragma once
#include "lib/activation/softmax_shape.h"
#include "lib/temporary.h"

namespace AscendC {

namespace detail {

/// The shape from softmaxShapeInfo, else from what the kernel attached to src, else from the tiling.
template <const SoftmaxConfig& config, class T, class Tiling>
[[gnu::always_inline]] inline toprope::lib::SoftmaxShape softmax_shape(const LocalTensor<T>& src,
                                                                       const SoftMaxShapeInfo& info,
                                                                       const Tiling& tiling, bool nz) {
  constexpr bool one_value = config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC;
  if (info.srcM != 0) {
    const uint32_t used = config.oriSrcK != 0 ? config.oriSrcK : info.oriSrcK;
    return {info.srcM, info.srcK, used != 0 && used < info.srcK ? used : info.srcK, nz, one_value};
  }
  if (src.shape() != nullptr) {
    const ShapeInfo shape = src.GetShapeInfo();
    uint32_t rows = 1;
    for (int i = 0; i + 1 < shape.shapeDim; ++i) rows *= shape.shape[i];
    const uint32_t columns = shape.shape[shape.shapeDim - 1],
                   used = shape.originalShapeDim != 0 ? shape.originalShape[shape.originalShapeDim - 1]
                                                      : columns;
    return {rows, columns, used < columns ? used : columns, nz, one_value};
  }
  return {tiling.srcM, tiling.srcK, tiling.srcK, nz, one_value};
}

template <class T, class U>
constexpr toprope::lib::SoftmaxTypes softmax_types() {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>, statistics = toprope::dtype_of<PrimT<U>>;
  static_assert((type == toprope::DType::Half || type == toprope::DType::Float) &&
                    (statistics == type || statistics == toprope::DType::Float),
                "the softmax family takes half or float; sums and maxima of half rows may be float");
  return {type, statistics};
}

}  // namespace detail

#include "lib/forms.inc"
#define TOPROPE_TEMPLATE                                                                       \
  class T, bool isReuseSource = false, bool isBasicBlock = false, bool isDataFormatNZ = false, \
                const SoftmaxConfig &config = SOFTMAX_DEFAULT_CFG
#define TOPROPE_REST const SoftMaxTiling &tiling, const SoftMaxShapeInfo &softmaxShapeInfo = {}
#define TOPROPE_SOFTMAX(D, S)                                                                              \
  TOPROPE_FORMS(                                                                                           \
      SoftMax, TOPROPE_LIST(TOPROPE_TEMPLATE),                                                             \
      TOPROPE_LIST(const LocalTensor<D>& dstTensor, const LocalTensor<S>& sumTensor,                       \
                   const LocalTensor<S>& maxTensor, const LocalTensor<D>& srcTensor),                      \
      TOPROPE_LIST(TOPROPE_REST),                                                                          \
      TOPROPE_LIST(toprope::lib::softmax(                                                                  \
          toprope::lib::SoftmaxKind::SoftMax, detail::softmax_types<D, S>(),                               \
          {dstTensor.slice(), sumTensor.slice(), maxTensor.slice(), srcTensor.slice()}, false,             \
          detail::softmax_shape<config>(srcTensor, softmaxShapeInfo, tiling, isDataFormatNZ), temporary))) \
  TOPROPE_FORMS(                                                                                           \
      SimpleSoftMax, TOPROPE_LIST(TOPROPE_TEMPLATE),                                                       \
      TOPROPE_LIST(const LocalTensor<D>& dstTensor, const LocalTensor<S>& inSumTensor,                     \
                   const LocalTensor<S>& inMaxTensor, const LocalTensor<D>& srcTensor),                    \
      TOPROPE_LIST(TOPROPE_REST),                                                                          \
      TOPROPE_LIST(toprope::lib::softmax(                                                                  \
          toprope::lib::SoftmaxKind::SimpleSoftMax, detail::softmax_types<D, S>(),                         \
          {dstTensor.slice(), {}, {}, srcTensor.slice(), {}, inSumTensor.slice(), inMaxTensor.slice()},    \
          false, detail::softmax_shape<config>(srcTensor, softmaxShapeInfo, tiling, isDataFormatNZ),       \
          temporary)))
TOPROPE_SOFTMAX(T, T)
TOPROPE_SOFTMAX(half, float)
#undef TOPROPE_SOFTMAX

/// Without the rows' sums and maxima.
TOPROPE_FORMS(SoftMax,
              TOPROPE_LIST(class T, bool isReuseSource = false, bool isBasicBlock = false,
                           const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG),
              TOPROPE_LIST(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor),
              TOPROPE_LIST(TOPROPE_REST),
              TOPROPE_LIST(toprope::lib::softmax(
                  toprope::lib::SoftmaxKind::SoftMax, detail::softmax_types<T, T>(),
                  {dstTensor.slice(), {}, {}, srcTensor.slice()}, false,
                  detail::softmax_shape<config>(srcTensor, softmaxShapeInfo, tiling, false), temporary)))

/// The sums of grad · src over each row, or (grad less that) · src. isFront: dst has a DataBlock a row.
TOPROPE_FORMS(
    SoftmaxGrad, TOPROPE_LIST(class T, bool isReuseSource = false, bool isDataFormatNZ = false),
    TOPROPE_LIST(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                 const LocalTensor<T>& srcTensor),
    TOPROPE_LIST(const SoftMaxTiling& tiling, bool isFront = false,
                 const SoftMaxShapeInfo& softmaxShapeInfo = {}),
    TOPROPE_LIST(toprope::lib::softmax_grad(
        detail::softmax_types<T, T>().type, dstTensor.slice(), gradTensor.slice(), srcTensor.slice(), isFront,
        detail::softmax_shape<SOFTMAX_DEFAULT_CFG>(srcTensor, softmaxShapeInfo, tiling, isDataFormatNZ),
        temporary)))
TOPROPE_FORMS(
    SoftmaxGradFront, TOPROPE_LIST(class T, bool isBasicBlock = false, bool isDataFormatNZ = false),
    TOPROPE_LIST(const LocalTensor<T>& dstTensor, const LocalTensor<T>& gradTensor,
                 const LocalTensor<T>& srcTensor),
    TOPROPE_LIST(TOPROPE_REST),
    TOPROPE_LIST(toprope::lib::softmax_grad(
        detail::softmax_types<T, T>().type, dstTensor.slice(), gradTensor.slice(), srcTensor.slice(), true,
        detail::softmax_shape<SOFTMAX_DEFAULT_CFG>(srcTensor, softmaxShapeInfo, tiling, isDataFormatNZ),
        temporary)))
#undef TOPROPE_REST
#undef TOPROPE_TEMPLATE
#undef TOPROPE_LIST
#undef TOPROPE_FORMS

/// log10 of the softmax.
template <class T, bool isReuseSource = false, bool isDataFormatNZ = false>
[[gnu::always_inline]] inline void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum,
                                              const LocalTensor<T>& max, const LocalTensor<T>& src,
                                              const LocalTensor<uint8_t>& sharedTmpBuffer,
                                              const LogSoftMaxTiling& tiling,
                                              const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  toprope::lib::softmax(
      toprope::lib::SoftmaxKind::LogSoftMax, detail::softmax_types<T, T>(),
      {dst.slice(), sum.slice(), max.slice(), src.slice()}, false,
      detail::softmax_shape<SOFTMAX_DEFAULT_CFG>(src, softmaxShapeInfo, tiling, isDataFormatNZ),
      detail::temporary(sharedTmpBuffer));
}

}  // namespace AscendC
