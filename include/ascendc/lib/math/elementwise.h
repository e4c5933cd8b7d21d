// Mathematical functions of one tensor. Their configurations choose algorithms on other chips and have no
// effect on this one. Source: Ascend C API, high-level API, mathematics.
#pragma once
#include "lib/elementwise.h"
#include "lib/math/algorithms.h"

namespace AscendC {

#include "lib/unary_forms.inc"
TOPROPE_OP(Tanh, bool isReuseSource = false, const TanhConfig& config = DEFAULT_TANH_CONFIG)
TOPROPE_OP(Sin, bool isReuseSource = false, const SinConfig& config = defaultSinConfig)
TOPROPE_OP(Cos, bool isReuseSource = false, const CosConfig& config = defaultCosConfig)
TOPROPE_OP(Tan, bool isReuseSource = false)
TOPROPE_OP(Asin, bool isReuseSource = false)
TOPROPE_OP(Acos, bool isReuseSource = false)
TOPROPE_OP(Atan, bool isReuseSource = false, const AtanConfig& config = defaultAtanConfig)
TOPROPE_OP(Sinh, bool isReuseSource = false)
TOPROPE_OP(Cosh, bool isReuseSource = false)
TOPROPE_OP(Asinh, bool isReuseSource = false)
TOPROPE_OP(Acosh, bool isReuseSource = false)
TOPROPE_OP(Atanh, bool isReuseSource = false)
TOPROPE_OP(Erf, bool isReuseSource = false, const ErfConfig& config = defaultErfConfig)
TOPROPE_OP(Erfc, bool isReuseSource = false)
TOPROPE_OP(Frac, bool isReuseSource = false)
TOPROPE_OP(Trunc, bool isReuseSource = false)
TOPROPE_OP(Sign, bool isReuseSource = false)
TOPROPE_OP(Log2, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Round, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Ceil, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Floor, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Lgamma, bool isReuseSource = false)
TOPROPE_COUNT_FORMS(Digamma, bool isReuseSource = false)
#undef TOPROPE_OP
#undef TOPROPE_WHOLE_FORMS
#undef TOPROPE_COUNT_FORMS

/// e^x. With taylorExpandLevel, e^floor(x) times so many terms of the series of the rest.
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
[[gnu::always_inline]] inline void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::Exp>(
      dstLocal, srcLocal, srcLocal, detail::temporary(sharedTmpBuffer), calCount, {0, taylorExpandLevel, -1});
}
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
[[gnu::always_inline]] inline void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                       const uint32_t calCount) {
  detail::elementwise<toprope::lib::Elementwise::Exp>(dstLocal, srcLocal, srcLocal, toprope::lib::Temporary(),
                                                      calCount, {0, taylorExpandLevel, -1});
}

}  // namespace AscendC
