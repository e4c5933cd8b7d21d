// RmsNorm, DeepNorm, BatchNorm and GroupNorm. Source: Ascend C API, high-level API, normalisation.
#pragma once
#include "lib/normalization/layernorm.h"

namespace AscendC {

/// dst = src / sqrt(mean(src * src) + epsilon) * gamma over the last axis of [B, S, H]. isBasicBlock has no
/// effect.
template <class T, bool isBasicBlock = false>
[[gnu::always_inline]] inline void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                           const LocalTensor<T>& gammaLocal,
                                           const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                           const RmsNormTiling& tiling) {
  toprope::lib::rms_norm(detail::norm_type<T>(), dstLocal.slice(), srcLocal.slice(), gammaLocal.slice(),
                         epsilon, detail::norm_rows(tiling), detail::temporary(sharedTmpBuffer));
}
template <class T, bool isBasicBlock = false>
[[gnu::always_inline]] inline void RmsNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                           const LocalTensor<T>& gammaLocal, const T epsilon,
                                           const RmsNormTiling& tiling) {
  toprope::lib::rms_norm(detail::norm_type<T>(), dstLocal.slice(), srcLocal.slice(), gammaLocal.slice(),
                         epsilon, detail::norm_rows(tiling), toprope::lib::Temporary());
}

/// LayerNorm of alpha * src + gx. rstdLocal gets the variance, as the page's example does.
template <class T, bool isReuseSrc = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                                            const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                                            const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                                            const LocalTensor<T>& gammaLocal,
                                            const LocalTensor<uint8_t>& sharedTmpBuffer, const T alpha,
                                            const T epsilon, const DeepNormTiling& tiling) {
  toprope::lib::deep_norm(detail::norm_type<T>(),
                          detail::norm_operands(dstLocal, meanLocal.slice(), rstdLocal.slice(), srcLocal,
                                                gammaLocal.slice(), betaLocal.slice()),
                          gxLocal.slice(), alpha, epsilon, detail::norm_rows(tiling),
                          detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSrc = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void DeepNorm(const LocalTensor<T>& dstLocal, const LocalTensor<T>& meanLocal,
                                            const LocalTensor<T>& rstdLocal, const LocalTensor<T>& srcLocal,
                                            const LocalTensor<T>& gxLocal, const LocalTensor<T>& betaLocal,
                                            const LocalTensor<T>& gammaLocal, const T alpha, const T epsilon,
                                            const DeepNormTiling& tiling) {
  toprope::lib::deep_norm(detail::norm_type<T>(),
                          detail::norm_operands(dstLocal, meanLocal.slice(), rstdLocal.slice(), srcLocal,
                                                gammaLocal.slice(), betaLocal.slice()),
                          gxLocal.slice(), alpha, epsilon, detail::norm_rows(tiling),
                          toprope::lib::Temporary());
}

/// Over the first axis of [B, S, H]; gamm and beta have a value for each of B.
template <class T, bool isReuseSource = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamm,
                                             const LocalTensor<T>& beta,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                             const BatchNormTiling& tiling) {
  toprope::lib::batch_norm(detail::norm_type<T>(),
                           detail::norm_operands(output, outputMean.slice(), outputVariance.slice(), inputX,
                                                 gamm.slice(), beta.slice()),
                           epsilon, tiling.originalBLength, tiling.meanVarSize,
                           detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void BatchNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamm,
                                             const LocalTensor<T>& beta, const T epsilon,
                                             const BatchNormTiling& tiling) {
  toprope::lib::batch_norm(detail::norm_type<T>(),
                           detail::norm_operands(output, outputMean.slice(), outputVariance.slice(), inputX,
                                                 gamm.slice(), beta.slice()),
                           epsilon, tiling.originalBLength, tiling.meanVarSize, toprope::lib::Temporary());
}

namespace detail {
template <class T>
[[gnu::always_inline]] inline void group_norm(const LocalTensor<T>& output, const LocalTensor<T>& mean,
                                              const LocalTensor<T>& variance, const LocalTensor<T>& x,
                                              const LocalTensor<T>& gamma, const LocalTensor<T>& beta,
                                              const T epsilon, const GroupNormTiling& t,
                                              const toprope::lib::Temporary& memory) {
  const uint32_t width = t.d * t.hw;
  toprope::lib::group_norm(
      norm_type<T>(), norm_operands(output, mean.slice(), variance.slice(), x, gamma.slice(), beta.slice()),
      epsilon, {t.n * t.g, width, width}, t.c, t.d, memory);
}
}  // namespace detail

/// Over the groups of channels of [N, C, H, W]; gamma and beta have a value for each of C. H * W elements are
/// a multiple of 32 bytes.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,
                                             const LocalTensor<T>& beta,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer, const T epsilon,
                                             const GroupNormTiling& tiling) {
  detail::group_norm(output, outputMean, outputVariance, inputX, gamma, beta, epsilon, tiling,
                     detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void GroupNorm(const LocalTensor<T>& output, const LocalTensor<T>& outputMean,
                                             const LocalTensor<T>& outputVariance,
                                             const LocalTensor<T>& inputX, const LocalTensor<T>& gamma,
                                             const LocalTensor<T>& beta, const T epsilon,
                                             const GroupNormTiling& tiling) {
  detail::group_norm(output, outputMean, outputVariance, inputX, gamma, beta, epsilon, tiling,
                     toprope::lib::Temporary());
}

}  // namespace AscendC
