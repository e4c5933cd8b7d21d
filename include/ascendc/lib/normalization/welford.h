// WelfordUpdate and WelfordFinalize: mean and variance of an axis that is worked off in parts.
// Source: Ascend C API, high-level API, normalisation.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/normalization.h"

namespace AscendC {

struct WelfordUpdateConfig {
  bool isInplace = false;  ///< outputs beyond abComputeLength get the old values instead of nothing
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG{false};

/// abLength elements in all operands (a multiple of 32 bytes of x), of which abComputeLength are updated;
/// nRec: 1 / the number of this update. rnLength is 1.
struct WelfordUpdateParam {
  uint32_t rnLength, abLength, abComputeLength;
  float nRec;
};

struct WelfordFinalizeConfig {
  bool isCorrection = false;  ///< other chips'
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG{false};

/// Named as documented: rnLength updates of abLength elements; without counts the first headCountLength means
/// count headCount times, the others tailCount times (0: there is no tail).
struct WelfordFinalizePara {
  uint32_t rnLength, abLength, headCount, headCountLength, tailCount, tailCountLength;
  float abRec, rRec;
  float rRecWithCorrection = 0;
};

namespace detail {
template <class T, class U, const WelfordUpdateConfig& config>
[[gnu::always_inline]] inline void welford_update(const LocalTensor<U>& mean, const LocalTensor<U>& variance,
                                                  const LocalTensor<U>& old_mean,
                                                  const LocalTensor<U>& old_variance, const LocalTensor<T>& x,
                                                  const WelfordUpdateParam& para,
                                                  const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(toprope::dtype_of<PrimT<U>> == toprope::DType::Float &&
                    (type == toprope::DType::Half || type == toprope::DType::Float),
                "WelfordUpdate takes float statistics, and half or float x, on this chip");
  toprope::lib::welford_update(type,
                               {mean.slice(), variance.slice(), old_mean.slice(), old_variance.slice(),
                                x.slice(), para.abLength, para.abComputeLength, para.nRec, config.isInplace},
                               memory);
}

template <const WelfordFinalizeConfig& config>
[[gnu::always_inline]] inline void welford_finalize(
    const LocalTensor<float>& mean, const LocalTensor<float>& variance, const LocalTensor<float>& means,
    const LocalTensor<float>& variances, const LocalTensor<int32_t>* counts, const WelfordFinalizePara& p,
    const toprope::lib::Temporary& memory) {
  static_assert(!config.isCorrection, "WelfordFinalize has no correction on this chip");
  toprope::lib::welford_finalize({mean.slice(), variance.slice(), means.slice(), variances.slice(),
                                  counts ? counts->slice() : toprope::Slice{}, counts != nullptr, p.abLength,
                                  p.rnLength, p.headCount, p.headCountLength, p.tailCount, p.abRec, p.rRec},
                                 memory);
}
}  // namespace detail

/// mean = oldMean + (x - oldMean) * nRec; variance = oldVariance + (x - oldMean) * (x - mean).
template <class T, class U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordUpdate(
    const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance, const LocalTensor<U>& inputMean,
    const LocalTensor<U>& inputVariance, const LocalTensor<T>& inputX,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const WelfordUpdateParam& para) {
  detail::welford_update<T, U, config>(outputMean, outputVariance, inputMean, inputVariance, inputX, para,
                                       detail::temporary(sharedTmpBuffer));
}
template <class T, class U, bool isReuseSource = false,
          const WelfordUpdateConfig& config = WFUPDATE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordUpdate(
    const LocalTensor<U>& outputMean, const LocalTensor<U>& outputVariance, const LocalTensor<U>& inputMean,
    const LocalTensor<U>& inputVariance, const LocalTensor<T>& inputX, const WelfordUpdateParam& para) {
  detail::welford_update<T, U, config>(outputMean, outputVariance, inputMean, inputVariance, inputX, para,
                                       toprope::lib::Temporary());
}

/// The mean and variance of everything that the updates saw, one element each.
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                                                   const LocalTensor<float>& outputVariance,
                                                   const LocalTensor<float>& inputMean,
                                                   const LocalTensor<float>& inputVariance,
                                                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                   const WelfordFinalizePara& para) {
  detail::welford_finalize<config>(outputMean, outputVariance, inputMean, inputVariance, nullptr, para,
                                   detail::temporary(sharedTmpBuffer));
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                                                   const LocalTensor<float>& outputVariance,
                                                   const LocalTensor<float>& inputMean,
                                                   const LocalTensor<float>& inputVariance,
                                                   const LocalTensor<int32_t>& counts,
                                                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                   const WelfordFinalizePara& para) {
  detail::welford_finalize<config>(outputMean, outputVariance, inputMean, inputVariance, &counts, para,
                                   detail::temporary(sharedTmpBuffer));
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                                                   const LocalTensor<float>& outputVariance,
                                                   const LocalTensor<float>& inputMean,
                                                   const LocalTensor<float>& inputVariance,
                                                   const WelfordFinalizePara& para) {
  detail::welford_finalize<config>(outputMean, outputVariance, inputMean, inputVariance, nullptr, para,
                                   toprope::lib::Temporary());
}
template <bool isReuseSource = false, const WelfordFinalizeConfig& config = WFFINALIZE_DEFAULT_CFG>
[[gnu::always_inline]] inline void WelfordFinalize(const LocalTensor<float>& outputMean,
                                                   const LocalTensor<float>& outputVariance,
                                                   const LocalTensor<float>& inputMean,
                                                   const LocalTensor<float>& inputVariance,
                                                   const LocalTensor<int32_t>& counts,
                                                   const WelfordFinalizePara& para) {
  detail::welford_finalize<config>(outputMean, outputVariance, inputMean, inputVariance, &counts, para,
                                   toprope::lib::Temporary());
}

}  // namespace AscendC
