// How much temporary memory the mathematical functions need: at least, at most (more is not used), and for
// each element as a multiple of its size. What a kernel is given decides how many passes it takes, not its
// result. Source: Ascend C API, high-level API, mathematics, Get…MaxMinTmpSize and Get…TmpBufferFactorSize.
#pragma once
#include "ascendc/host_api/tiling/temporary_size.h"
#include "ascendc/lib/math/algorithms.h"
#include "tiling/platform/platform_ascendc.h"
#include "toprope/lib/axpy.h"
#include "toprope/lib/cumsum.h"
#include "toprope/lib/integer.h"

namespace AscendC {

#define TOPROPE_SIZES(Name, Result, result, ...)                                                           \
  inline Result Get##Name##MaxMinTmpSize(__VA_ARGS__ const TensorShape& srcShape, const uint32_t typeSize, \
                                         const bool, uint32_t& maxValue, uint32_t& minValue) {             \
    detail::temporary_size(toprope::lib::Elementwise::Name, srcShape, typeSize, maxValue, minValue);       \
    return result;                                                                                         \
  }
#define TOPROPE_FACTOR(Name, ...)                                                                      \
  inline void Get##Name##TmpBufferFactorSize(__VA_ARGS__ const uint32_t typeSize,                      \
                                             uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {         \
    detail::temporary_factor(toprope::lib::temporary_bytes(toprope::lib::Elementwise::Name, typeSize), \
                             typeSize, maxLiveNodeCount, extraBuf);                                    \
  }
#define TOPROPE_VOID
#define TOPROPE_COMMA ,
#define TOPROPE_OP(Name)                    \
  TOPROPE_SIZES(Name, void, TOPROPE_VOID, ) \
  TOPROPE_FACTOR(Name, )
TOPROPE_OP(Tanh)
TOPROPE_OP(Sin)
TOPROPE_OP(Cos)
TOPROPE_OP(Tan)
TOPROPE_OP(Asin)
TOPROPE_OP(Acos)
TOPROPE_OP(Atan)
TOPROPE_OP(Sinh)
TOPROPE_OP(Cosh)
TOPROPE_OP(Asinh)
TOPROPE_OP(Acosh)
TOPROPE_OP(Atanh)
TOPROPE_OP(Erf)
TOPROPE_OP(Erfc)
TOPROPE_OP(Lgamma)
TOPROPE_OP(Digamma)
TOPROPE_OP(Log2)
TOPROPE_OP(Frac)
TOPROPE_OP(Trunc)
TOPROPE_OP(Ceil)
TOPROPE_OP(Floor)
TOPROPE_OP(Sign)
TOPROPE_OP(Fmod)
TOPROPE_SIZES(Exp, bool, true, )
TOPROPE_FACTOR(Exp, )
TOPROPE_SIZES(Sin, void, TOPROPE_VOID, const SinConfig& TOPROPE_COMMA)
TOPROPE_FACTOR(Sin, const SinConfig& TOPROPE_COMMA)
TOPROPE_SIZES(Cos, void, TOPROPE_VOID, const CosConfig& TOPROPE_COMMA)
TOPROPE_FACTOR(Cos, const CosConfig& TOPROPE_COMMA)
TOPROPE_SIZES(Round, void, TOPROPE_VOID, const platform_ascendc::PlatformAscendC& TOPROPE_COMMA)
TOPROPE_FACTOR(Round, const platform_ascendc::PlatformAscendC& TOPROPE_COMMA)
#undef TOPROPE_OP
#undef TOPROPE_COMMA
#undef TOPROPE_VOID
#undef TOPROPE_FACTOR
#undef TOPROPE_SIZES

// Functions whose temporary memory has other units.
#define TOPROPE_OP(Name, bytes, granule)                                                                 \
  inline void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, \
                                       uint32_t& maxValue, uint32_t& minValue) {                         \
    detail::temporary_size(detail::elements_of(srcShape), bytes, granule, maxValue, minValue);           \
  }                                                                                                      \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount,        \
                                             uint32_t& extraBuf) {                                       \
    detail::temporary_factor(bytes, typeSize, maxLiveNodeCount, extraBuf);                               \
  }
TOPROPE_OP(Xor, toprope::lib::kXorBytes + 0 * typeSize, 64)
/// An Axpy of half sources may have a float destination.
TOPROPE_OP(Axpy, toprope::lib::axpy_bytes(4) + 0 * typeSize, 128)
/// ClampMax and ClampMin use none; kernels that reserve what they are told get a buffer that is not empty.
TOPROPE_OP(Clamp, typeSize, 256 / typeSize)
#undef TOPROPE_OP

// Log and Log10 need no temporary memory.
#define TOPROPE_OP(Name)                                                                                   \
  inline void Get##Name##MaxMinTmpSize(const TensorShape&, const uint32_t, const bool, uint32_t& maxValue, \
                                       uint32_t& minValue) {                                               \
    maxValue = minValue = 0;                                                                               \
  }                                                                                                        \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t, uint32_t& maxLiveNodeCount,                   \
                                             uint32_t& extraBuf) {                                         \
    maxLiveNodeCount = extraBuf = 0;                                                                       \
  }
TOPROPE_OP(Log)
TOPROPE_OP(Log10)
#undef TOPROPE_OP

/// The shape of a source that is a number has one element.
inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1, const TensorShape& srcShape2,
                                  const bool typeIsInt, const uint32_t typeSize, const bool,
                                  uint32_t& maxValue, uint32_t& minValue) {
  const uint64_t a = detail::elements_of(srcShape1), b = detail::elements_of(srcShape2);
  const uint32_t bytes = typeIsInt
                             ? toprope::lib::kPowerIntBytes
                             : toprope::lib::temporary_bytes(toprope::lib::Elementwise::Power, typeSize);
  detail::temporary_size(a > b ? a : b, bytes, 64, maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool, const bool, const bool typeIsInt, const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
  const uint32_t bytes = typeIsInt
                             ? toprope::lib::kPowerIntBytes
                             : toprope::lib::temporary_bytes(toprope::lib::Elementwise::Power, typeSize);
  detail::temporary_factor(bytes, typeSize, maxLiveNodeCount, extraBuffer);
}

/// srcShape has two axes.
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                   const bool isLastAxis, const bool, uint32_t& maxValue,
                                   uint32_t& minValue) {
  const toprope::lib::CumSumShape shape{static_cast<uint32_t>(srcShape.GetDim(0)),
                                        static_cast<uint32_t>(srcShape.GetDim(1)), isLastAxis};
  maxValue = toprope::lib::cumsum_most_bytes(shape, typeSize);
  minValue = toprope::lib::cumsum_least_bytes(shape, typeSize);
}

}  // namespace AscendC
