// Tiling functions of sorting: the temporary memory that kernels need, in bytes, and the data they take
// along. A function that answers bool answers false for a shape that the kernel's page excludes. Source:
// Ascend C API, high-level API, sorting, Get…, TopK Tiling.
#pragma once
#include "ascendc/host_api/tiling/tensor_shape.h"
#include "ascendc/lib/sort/topk_mode.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_data.h"

namespace AscendC {

uint32_t GetConcatTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                          const uint32_t dataTypeSize);
uint32_t GetSortTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const uint32_t elemCount,
                        const uint32_t dataTypeSize);
/// For the forms of Sort with a SortConfig, which are other chips'; the sizes suffice for this chip's form.
void GetSortMaxMinTmpSize(const TensorShape& srcShape, TensorDataType valueType, TensorDataType indexType,
                          bool isReuseSource, const SortConfig& config, uint32_t& maxValue,
                          uint32_t& minValue);

bool GetTopKMaxMinTmpSize(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                          const int32_t outter, const bool isReuseSource, const bool isInitIndex,
                          enum TopKMode mode, const bool isLargest, const uint32_t dataTypeSize,
                          uint32_t& maxValue, uint32_t& minValue);
/// This chip sorts by merging: false for TopKAlgo::RADIX_SELECT.
bool GetTopKMaxMinTmpSize(const int32_t inner, const int32_t outter, const int32_t k,
                          const bool isReuseSource, const bool isInitIndex, enum TopKMode mode,
                          const bool isLargest, TensorDataType dataType, const TopKConfig& config,
                          uint32_t& maxValue, uint32_t& minValue);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                    const int32_t outter, const int32_t k, const uint32_t dataTypeSize,
                    const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                    optiling::TopkTiling& topKTiling);
bool TopKTilingFunc(const platform_ascendc::PlatformAscendC& ascendcPlatform, const int32_t inner,
                    const int32_t outter, const int32_t k, const uint32_t dataTypeSize,
                    const bool isInitIndex, enum TopKMode mode, const bool isLargest,
                    tiling::TopkTiling& topKTiling);

}  // namespace AscendC
