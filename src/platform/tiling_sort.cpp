#include "ascendc/host_api/tiling/sort.h"
#include "platform/tiling_assign.h"
#include "toprope/lib/sort.h"

namespace memory = toprope::lib::memory;
using toprope::platform::assign;
using toprope::platform::bytes;

namespace AscendC {
namespace {

constexpr int32_t kMostInner = 4096;

bool top_k_takes(int32_t inner, int32_t outter, TopKMode mode, uint32_t size) {
  const int32_t group = toprope::isa::kSortGroup;
  return (size == 2 || size == 4) && outter > 0 && inner > 0 && inner % group == 0 && inner <= kMostInner &&
         (mode != TopKMode::TOPK_NSMALL || inner == group);
}

uint32_t whole(uint32_t count, uint32_t unit) { return (count + unit - 1) / unit * unit; }

}  // namespace

uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t, const uint32_t) {
  return 32;  // nothing is needed, but a buffer of no bytes cannot be allocated
}
uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC&, const uint32_t elemCount, const uint32_t) {
  return bytes(memory::sort(whole(elemCount, toprope::isa::kSortGroup)));
}
void GetSortMaxMinTmpSize(const TensorShape& srcShape, TensorDataType, TensorDataType, bool,
                          const SortConfig&, uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue =
      bytes(memory::sort(whole(static_cast<uint32_t>(srcShape.GetShapeSize()), toprope::isa::kSortGroup)));
}

bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const int32_t inner, const int32_t outter,
                          const bool, const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                          const uint32_t dataTypeSize, uint32_t& maxValue, uint32_t& minValue) {
  if (!top_k_takes(inner, outter, mode, dataTypeSize)) return false;
  maxValue = minValue =
      bytes(memory::top_k(dataTypeSize, {static_cast<uint32_t>(outter), static_cast<uint32_t>(inner), 0},
                          mode == TopKMode::TOPK_NSMALL, !isInitIndex, !isLargest));
  return true;
}
bool GetTopKMaxMinTmpSize(const int32_t inner, const int32_t outter, const int32_t k,
                          const bool isReuseSource, const bool isInitIndex, enum TopKMode mode,
                          const bool isLargest, TensorDataType dataType, const TopKConfig& config,
                          uint32_t& maxValue, uint32_t& minValue) {
  if (config.algo != TopKAlgo::MERGE_SORT || k < 1 || k > inner) return false;
  const uint32_t size = dataType == ge::DT_FLOAT ? 4 : dataType == ge::DT_FLOAT16 ? 2 : 0;
  const bool largest = config.order == TopKOrder::UNSET ? isLargest : config.order == TopKOrder::LARGEST;
  return GetTopKMaxMinTmpSize(platform_ascendc::PlatformAscendC(nullptr), inner, outter, isReuseSource,
                              isInitIndex, mode, largest, size, maxValue, minValue);
}

bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                    const int32_t outter, const int32_t k, const uint32_t dataTypeSize,
                    const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                    tiling::TopkTiling& topKTiling) {
  uint32_t most = 0, least = 0;
  if (k < 1 || k > inner ||
      !GetTopKMaxMinTmpSize(ascendcPlatform, inner, outter, false, isInitIndex, mode, isLargest, dataTypeSize,
                            most, least))
    return false;
  topKTiling = {};
  topKTiling.tmpLocalSize = static_cast<int32_t>(least / dataTypeSize);
  topKTiling.allDataSize = inner * outter;
  topKTiling.innerDataSize = inner;
  topKTiling.sortRepeat = static_cast<uint32_t>(inner) / toprope::isa::kSortGroup;
  topKTiling.kAlignFourBytes = static_cast<int32_t>(whole(static_cast<uint32_t>(k), 8));
  topKTiling.kAlignTwoBytes = static_cast<int32_t>(whole(static_cast<uint32_t>(k), 16));
  return true;
}
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                    const int32_t outter, const int32_t k, const uint32_t dataTypeSize,
                    const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                    optiling::TopkTiling& topKTiling) {
  tiling::TopkTiling t;
  if (!TopKTilingFunc(ascendcPlatform, inner, outter, k, dataTypeSize, isInitIndex, mode, isLargest, t))
    return false;
  assign(topKTiling, t);
  return true;
}

}  // namespace AscendC
