// Tiling functions of reductions: the temporary memory that kernels need, in bytes. The most is the least.
// Source: Ascend C API, high-level API, reductions, Get….
#pragma once
#include "ascendc/host_api/tiling/tensor_shape.h"
#include "ascendc/lib/reduce/reduce_pattern.h"

namespace AscendC {

void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool isReuseSource,
                         uint32_t& maxSize, uint32_t& minSize);
void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize,
                          const bool isReuseSource, uint32_t& maxSize, uint32_t& minSize);
void GetMeanTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuffer);
void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                  const bool isReuseSource, uint32_t& maxValue, uint32_t& minValue);

#define TOPROPE_REDUCE(Name)                                                                   \
  void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const TensorDataType dataType,    \
                                ReducePattern pattern, bool isSrcInnerPad, bool isReuseSource, \
                                uint32_t& maxValue, uint32_t& minValue);
TOPROPE_REDUCE(ReduceSum)
TOPROPE_REDUCE(ReduceMean)
TOPROPE_REDUCE(ReduceMax)
TOPROPE_REDUCE(ReduceMin)
TOPROPE_REDUCE(ReduceAny)
TOPROPE_REDUCE(ReduceAll)
TOPROPE_REDUCE(ReduceProd)
#undef TOPROPE_REDUCE

}  // namespace AscendC
