// How much temporary memory the element-wise activation functions need; see math.h.
// Source: Ascend C API, high-level API, activation.
#pragma once
#include "ascendc/host_api/tiling/temporary_size.h"

namespace AscendC {

#define TOPROPE_SIZES(Function, Name)                                                                        \
  inline void Function(const TensorShape& srcShape, const uint32_t typeSize, const bool, uint32_t& maxValue, \
                       uint32_t& minValue) {                                                                 \
    detail::temporary_size(toprope::lib::Elementwise::Name, srcShape, typeSize, maxValue, minValue);         \
  }
#define TOPROPE_FACTOR(Name)                                                                           \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,      \
                                             uint32_t& extraBuffer) {                                  \
    detail::temporary_factor(toprope::lib::temporary_bytes(toprope::lib::Elementwise::Name, typeSize), \
                             typeSize, maxLiveNodeCount, extraBuffer);                                 \
  }
TOPROPE_SIZES(GetSigmoidMaxMinTmpSize, Sigmoid)
TOPROPE_SIZES(GetSiluTmpSize, Silu)
TOPROPE_SIZES(GetSwishTmpSize, Swish)
TOPROPE_SIZES(GetGeGLUMaxMinTmpSize, GeGLU)
TOPROPE_SIZES(GetReGluMaxMinTmpSize, ReGlu)
TOPROPE_FACTOR(GeGLU)
TOPROPE_FACTOR(SwiGLU)
#undef TOPROPE_FACTOR
#undef TOPROPE_SIZES

inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                   uint32_t& minValue, const bool) {
  detail::temporary_size(toprope::lib::Elementwise::SwiGLU, srcShape, typeSize, maxValue, minValue);
}

/// Gelu, FasterGelu and FasterGeluV2.
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
  detail::temporary_size(toprope::lib::Elementwise::FasterGeluV2, srcShape, typeSize, maxValue, minValue);
}
inline uint32_t GetGeluMaxTmpSize(const TensorShape& srcShape, const uint32_t typeSize) {
  uint32_t most = 0, least = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, most, least);
  return most;
}
inline uint32_t GetGeluMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize) {
  uint32_t most = 0, least = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, most, least);
  return least;
}

}  // namespace AscendC
