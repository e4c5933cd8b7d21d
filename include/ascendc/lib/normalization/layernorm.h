// LayerNorm, LayerNormGrad, LayerNormGradBeta and Normalize. Where a form without sharedTmpBuffer exists, it
// works in what no InitBuffer has taken of UB.
// Source: Ascend C API, high-level API, normalisation.
#pragma once
#include "kernel_tiling/kernel_tiling.h"
#include "lib/reduce/reduce_pattern.h"
#include "lib/temporary.h"
#include "toprope/lib/normalization.h"

namespace AscendC {

/// What the form with rstd reads and writes; isOnlyOutput and the variance instead of rstd are other chips'.
struct LayerNormConfig {
  bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false, isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM{false, false, false, true};
inline constexpr LayerNormConfig LNCFG_NOBETA{true, false, false, true};
inline constexpr LayerNormConfig LNCFG_NOGAMMA{false, true, false, true};
inline constexpr LayerNormConfig LNCFG_NOOPT{true, true, false, true};

/// A rows of rLengthWithPadding elements (a multiple of 32 bytes), of which rLength count.
struct LayerNormPara {
  uint32_t aLength, rLength, rLengthWithPadding;
};

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

struct NormalizeConfig {
  ReducePattern reducePattern = ReducePattern::AR;
  int32_t aLength = -1;  ///< -1 or NormalizePara's
  bool isNoBeta = false, isNoGamma = false, isOnlyOutput = false;
};
inline constexpr NormalizeConfig NLCFG_NORM{ReducePattern::AR, -1, false, false, false};
inline constexpr NormalizeConfig NLCFG_NOBETA{ReducePattern::AR, -1, true, false, false};
inline constexpr NormalizeConfig NLCFG_NOGAMMA{ReducePattern::AR, -1, false, true, false};
inline constexpr NormalizeConfig NLCFG_NOOPT{ReducePattern::AR, -1, true, true, false};

struct NormalizePara {
  uint32_t aLength, rLength, rLengthWithPadding;
};

namespace detail {

/// half or float, as every normalisation function takes.
template <class T>
constexpr toprope::DType norm_type() {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "normalisation functions take half or float on this chip");
  return type;
}

/// A tiling's [B, S, H] as rows.
template <class Tiling>
constexpr toprope::lib::NormRows norm_rows(const Tiling& t) {
  return {t.bLength * t.sLength, t.hLength, t.originalHLength};
}

template <class T>
[[gnu::always_inline]] inline toprope::lib::LayerNormOperands norm_operands(
    const LocalTensor<T>& output, const toprope::Slice& mean, const toprope::Slice& variance,
    const LocalTensor<T>& x, const toprope::Slice& gamma, const toprope::Slice& beta) {
  return {output.slice(), mean, variance, x.slice(), gamma, beta};
}

}  // namespace detail

/// output = (x - mean) / sqrt(variance + epsilon) * gamma + beta over the last axis of [B, S, H]; output may
/// be inputX. isReuseSource has no effect: no more memory is used without it.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,
                                             const LocalTensor<T>& beta,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                             const LayerNormTiling& tiling) {
  toprope::lib::layer_norm(detail::norm_type<T>(),
                           detail::norm_operands(output, outputMean.slice(), outputVariance.slice(), inputX,
                                                 gamma.slice(), beta.slice()),
                           epsilon, detail::norm_rows(tiling), detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,
                                             const LocalTensor<T>& beta, const T epsilon,
                                             const LayerNormTiling& tiling) {
  toprope::lib::layer_norm(detail::norm_type<T>(),
                           detail::norm_operands(output, outputMean.slice(), outputVariance.slice(), inputX,
                                                 gamma.slice(), beta.slice()),
                           epsilon, detail::norm_rows(tiling), toprope::lib::Temporary());
}

namespace detail {
template <class U, class T, const LayerNormConfig& config>
[[gnu::always_inline]] inline void layer_norm_rstd(const LocalTensor<T>& output,
                                                   const LocalTensor<float>& mean,
                                                   const LocalTensor<float>& rstd, const LocalTensor<T>& x,
                                                   const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                                   const float epsilon, const LayerNormPara& para,
                                                   const toprope::lib::Temporary& memory) {
  static_assert(!config.isOnlyOutput, "LayerNorm always writes mean and rstd: isOnlyOutput is false");
  static_assert(config.isOutputRstd, "LayerNorm writes rstd on this chip: isOutputRstd is true");
  toprope::lib::layer_norm_rstd(
      norm_type<T>(), norm_type<U>(),
      norm_operands(output, mean.slice(), rstd.slice(), x, gamma.slice(), beta.slice()), !config.isNoGamma,
      !config.isNoBeta, epsilon, {para.aLength, para.rLengthWithPadding, para.rLength}, memory);
}
}  // namespace detail

/// Over the last axis of [A, R], with 1 / sqrt(variance + epsilon) as a result; statistics are float.
template <class U, class T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
[[gnu::always_inline]] inline void LayerNorm(
    const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
    const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
    const float epsilon, const LocalTensor<uint8_t>& sharedTmpBuffer, const LayerNormPara& para,
    const LayerNormSeparateTiling& tiling) {
  (void)tiling;
  detail::layer_norm_rstd<U, T, config>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, para,
                                        detail::temporary(sharedTmpBuffer));
}
template <class U, class T, bool isReuseSource = false, const LayerNormConfig& config = LNCFG_NORM>
[[gnu::always_inline]] inline void LayerNorm(
    const LocalTensor<T>& output, const LocalTensor<float>& outputMean, const LocalTensor<float>& outputRstd,
    const LocalTensor<T>& inputX, const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
    const float epsilon, const LayerNormPara& para, const LayerNormSeparateTiling& tiling) {
  (void)tiling;
  detail::layer_norm_rstd<U, T, config>(output, outputMean, outputRstd, inputX, gamma, beta, epsilon, para,
                                        toprope::lib::Temporary());
}

namespace detail {
template <class U, class T, const NormalizeConfig& config>
[[gnu::always_inline]] inline void normalize(const LocalTensor<T>& output, const LocalTensor<float>& rstd,
                                             const LocalTensor<float>& mean,
                                             const LocalTensor<float>& variance, const LocalTensor<T>& x,
                                             const LocalTensor<U>& gamma, const LocalTensor<U>& beta,
                                             const float epsilon, const NormalizePara& para,
                                             const toprope::lib::Temporary& memory) {
  static_assert(config.reducePattern == ReducePattern::AR && !config.isOnlyOutput,
                "Normalize takes ReducePattern::AR and always writes rstd");
  toprope::lib::normalize(
      norm_type<T>(), norm_type<U>(),
      norm_operands(output, mean.slice(), variance.slice(), x, gamma.slice(), beta.slice()), rstd.slice(),
      !config.isNoGamma, !config.isNoBeta, epsilon, {para.aLength, para.rLengthWithPadding, para.rLength},
      memory);
}
}  // namespace detail

/// output = (x - mean) * rstd * gamma + beta with rstd = 1 / sqrt(variance + epsilon), over [A, R].
template <class U, class T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
[[gnu::always_inline]] inline void Normalize(
    const LocalTensor<T>& output, const LocalTensor<float>& outputRstd, const LocalTensor<float>& inputMean,
    const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
    const LocalTensor<U>& beta, const LocalTensor<uint8_t>& sharedTmpBuffer, const float epsilon,
    const NormalizePara& para) {
  detail::normalize<U, T, config>(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta, epsilon,
                                  para, detail::temporary(sharedTmpBuffer));
}
template <class U, class T, bool isReuseSource = false, const NormalizeConfig& config = NLCFG_NORM>
[[gnu::always_inline]] inline void Normalize(
    const LocalTensor<T>& output, const LocalTensor<float>& outputRstd, const LocalTensor<float>& inputMean,
    const LocalTensor<float>& inputVariance, const LocalTensor<T>& inputX, const LocalTensor<U>& gamma,
    const LocalTensor<U>& beta, const float epsilon, const NormalizePara& para) {
  detail::normalize<U, T, config>(output, outputRstd, inputMean, inputVariance, inputX, gamma, beta, epsilon,
                                  para, toprope::lib::Temporary());
}

namespace detail {
template <class T>
[[gnu::always_inline]] inline void layer_norm_grad(const LocalTensor<T>& dx,
                                                   const LocalTensor<T>& res_for_gamma,
                                                   const LocalTensor<T>& dy, const LocalTensor<T>& x,
                                                   const LocalTensor<T>& variance, const LocalTensor<T>& mean,
                                                   const LocalTensor<T>& gamma, const T epsilon,
                                                   const LayerNormGradTiling& tiling,
                                                   const toprope::lib::Temporary& memory) {
  toprope::lib::layer_norm_grad(norm_type<T>(),
                                {dx.slice(), res_for_gamma.slice(), dy.slice(), x.slice(), variance.slice(),
                                 mean.slice(), gamma.slice()},
                                epsilon, norm_rows(tiling), memory);
}
}  // namespace detail

/// The gradient for inputX, and (x - mean) / sqrt(variance + epsilon) for LayerNormGradBeta.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNormGrad(
    const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
    const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma, const LocalTensor<uint8_t>& sharedTmpBuffer, T epsilon,
    const LayerNormGradTiling& tiling, const LayerNormGradShapeInfo& shapeInfo = {}) {
  (void)shapeInfo;
  detail::layer_norm_grad(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
                          epsilon, tiling, detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNormGrad(
    const LocalTensor<T>& outputPdX, const LocalTensor<T>& resForGamma, const LocalTensor<T>& inputDy,
    const LocalTensor<T>& inputX, const LocalTensor<T>& inputVariance, const LocalTensor<T>& inputMean,
    const LocalTensor<T>& inputGamma, T epsilon, const LayerNormGradTiling& tiling,
    const LayerNormGradShapeInfo& shapeInfo = {}) {
  (void)shapeInfo;
  detail::layer_norm_grad(outputPdX, resForGamma, inputDy, inputX, inputVariance, inputMean, inputGamma,
                          epsilon, tiling, toprope::lib::Temporary());
}

/// Sums over B and S of inputDy * resForGamma, and of inputDy.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                                                     const LocalTensor<T>& outputPdBeta,
                                                     const LocalTensor<T>& resForGamma,
                                                     const LocalTensor<T>& inputDy,
                                                     const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                     const LayerNormGradBetaTiling& tiling) {
  toprope::lib::layer_norm_grad_beta(detail::norm_type<T>(), outputPdGamma.slice(), outputPdBeta.slice(),
                                     resForGamma.slice(), inputDy.slice(), tiling.bLength * tiling.sLength,
                                     tiling.hLength, detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void LayerNormGradBeta(const LocalTensor<T>& outputPdGamma,
                                                     const LocalTensor<T>& outputPdBeta,
                                                     const LocalTensor<T>& resForGamma,
                                                     const LocalTensor<T>& inputDy,
                                                     const LayerNormGradBetaTiling& tiling) {
  toprope::lib::layer_norm_grad_beta(detail::norm_type<T>(), outputPdGamma.slice(), outputPdBeta.slice(),
                                     resForGamma.slice(), inputDy.slice(), tiling.bLength * tiling.sLength,
                                     tiling.hLength, toprope::lib::Temporary());
}

}  // namespace AscendC
