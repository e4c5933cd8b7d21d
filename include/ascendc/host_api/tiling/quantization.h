// Tiling functions of quantisation: the temporary memory that kernels need, in bytes, and how much of it an
// element needs. Source: Ascend C API, high-level API, quantisation, Get….
#pragma once
#include "ascendc/host_api/tiling/tensor_shape.h"

namespace AscendC {

void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                 uint32_t& minValue);
void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf);

/// [m, n] or [n].
void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                   uint32_t& minValue);
void GetAscendDequantTmpBufferFactorSize(const TensorShape& srcShape, uint32_t& maxLiveNodeCount,
                                         uint32_t& extraBuf);

/// scaleShape: of the tensor, or [1] for one value.
uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                      bool isTranspose, TensorDataType inputDataType,
                                      TensorDataType outputDataType);
uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                      bool isTranspose, TensorDataType inputDataType,
                                      TensorDataType outputDataType);
void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                     bool isTranspose, TensorDataType inputDataType,
                                     TensorDataType outputDataType, uint32_t& maxValue, uint32_t& minValue);
void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                           bool isTranspose, TensorDataType inputDataType,
                                           TensorDataType outputDataType, uint32_t& maxLiveNodeCount,
                                           uint32_t& extraBuf);

}  // namespace AscendC
