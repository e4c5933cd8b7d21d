#include <algorithm>

#include "ascendc/host_api/tiling/filter.h"
#include "ascendc/host_api/tiling/reduction.h"
#include "platform/tiling_assign.h"
#include "toprope/lib/filter.h"
#include "toprope/lib/reduction.h"

namespace memory = toprope::lib::memory;
using toprope::lib::Reduction;
using toprope::platform::bytes;

namespace AscendC {
namespace {

uint64_t size_of(const TensorShape& shape) {
  return static_cast<uint64_t>(std::max<int64_t>(shape.GetShapeSize(), 1));
}

uint32_t reduce_memory(Reduction what, const TensorShape& shape, TensorDataType type, ReducePattern pattern) {
  const uint32_t size = type == ge::DT_FLOAT ? 4 : type == ge::DT_FLOAT16 ? 2 : 1, unit = 32 / size;
  const uint32_t columns = static_cast<uint32_t>(shape.GetDim(1));
  return bytes(memory::reduce(
      what, pattern == ReducePattern::AR, size,
      {static_cast<uint32_t>(shape.GetDim(0)), columns, (columns + unit - 1) / unit * unit}, 1));
}

}  // namespace

void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t typeSize, const bool, uint32_t& maxSize,
                         uint32_t& minSize) {
  maxSize = minSize = bytes(memory::mean(typeSize, typeSize, n));
}
void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t srcTypeSize, const uint32_t accTypeSize,
                          const bool, uint32_t& maxSize, uint32_t& minSize) {
  maxSize = minSize = bytes(memory::mean(srcTypeSize, accTypeSize, n));
}
void GetMeanTmpBufferFactorSize(const uint32_t typeSize, uint32_t& maxLiveNodeCount, uint32_t& extraBuffer) {
  maxLiveNodeCount = 4 / typeSize;
  extraBuffer = bytes(memory::mean(2, 4, 0));
}
void GetReduceXorSumMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool, uint32_t& maxValue,
                                  uint32_t& minValue) {
  minValue = 64 * memory::kXorSumElement + memory::kXorSumRest;
  maxValue = bytes((size_of(srcShape) + 63) / 64 * 64 * memory::kXorSumElement + memory::kXorSumRest);
}

#define TOPROPE_REDUCE(Name, what)                                                                           \
  void Get##Name##MaxMinTmpSize(const TensorShape& srcShape, const TensorDataType dataType,                  \
                                ReducePattern pattern, bool, bool, uint32_t& maxValue, uint32_t& minValue) { \
    maxValue = minValue = reduce_memory(Reduction::what, srcShape, dataType, pattern);                       \
  }
TOPROPE_REDUCE(ReduceSum, Sum)
TOPROPE_REDUCE(ReduceMean, Mean)
TOPROPE_REDUCE(ReduceMax, Max)
TOPROPE_REDUCE(ReduceMin, Min)
TOPROPE_REDUCE(ReduceAny, Any)
TOPROPE_REDUCE(ReduceAll, All)
TOPROPE_REDUCE(ReduceProd, Prod)
#undef TOPROPE_REDUCE

// Data filtering and index computation

uint32_t GetDropOutMaxTmpSize(const TensorShape& srcShape, const uint32_t, const bool) {
  return bytes(memory::select(1, (size_of(srcShape) + 255) / 256 * 256));
}
uint32_t GetDropOutMinTmpSize(const TensorShape&, const uint32_t, const bool) {
  return bytes(memory::select(1, 256));
}
void GetDropOutMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool isReuseSource,
                             uint32_t& maxValue, uint32_t& minValue) {
  maxValue = GetDropOutMaxTmpSize(srcShape, typeSize, isReuseSource);
  minValue = GetDropOutMinTmpSize(srcShape, typeSize, isReuseSource);
}

uint32_t GetSelectMaxTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape, const uint32_t,
                             const TensorShape&, const uint32_t maskTypeSize, const bool) {
  const uint64_t count = std::max(size_of(src0Shape), size_of(src1Shape));
  return bytes(memory::select(maskTypeSize, (count + 255) / 256 * 256));
}
uint32_t GetSelectMinTmpSize(const TensorShape&, const TensorShape&, const uint32_t, const TensorShape&,
                             const uint32_t maskTypeSize, const bool) {
  return bytes(memory::select(maskTypeSize, 256));
}
void GetSelectMaxMinTmpSize(const TensorShape& src0Shape, const TensorShape& src1Shape,
                            const uint32_t srcTypeSize, const TensorShape& maskShape,
                            const uint32_t maskTypeSize, const bool isReuseMask, uint32_t& maxValue,
                            uint32_t& minValue) {
  maxValue = GetSelectMaxTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);
  minValue = GetSelectMinTmpSize(src0Shape, src1Shape, srcTypeSize, maskShape, maskTypeSize, isReuseMask);
}

}  // namespace AscendC
