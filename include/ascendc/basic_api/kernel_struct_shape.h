// ShapeInfo: the shape that a kernel attaches to a tensor.
// Source: Ascend C API, auxiliary data structures, ShapeInfo.
#pragma once
#include <cstdint>

/// Dimensions that a ShapeInfo has room for; may be lowered with -D to save stack.
#ifndef K_MAX_SHAPE_DIM
#define K_MAX_SHAPE_DIM 8
#endif

namespace AscendC {

enum class DataFormat : uint8_t { ND = 0, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };

struct ShapeInfo {
  static constexpr int room = K_MAX_SHAPE_DIM > 0 ? K_MAX_SHAPE_DIM : 1;

  ShapeInfo() = default;
  ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[], const uint8_t inputOriginalShapeDim,
            const uint32_t inputOriginalShape[], const DataFormat inputFormat)
      : shapeDim(inputShapeDim), originalShapeDim(inputOriginalShapeDim), dataFormat(inputFormat) {
    for (int i = 0; i < shapeDim && i < room; ++i) shape[i] = inputShape[i];
    for (int i = 0; i < originalShapeDim && i < room; ++i) originalShape[i] = inputOriginalShape[i];
  }
  /// The original shape is the shape.
  ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[], const DataFormat inputFormat)
      : ShapeInfo(inputShapeDim, inputShape, inputShapeDim, inputShape, inputFormat) {}
  ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[])
      : ShapeInfo(inputShapeDim, inputShape, DataFormat::ND) {}

  uint8_t shapeDim = 0, originalShapeDim = 0;
  uint32_t shape[room] = {}, originalShape[room] = {};
  DataFormat dataFormat = DataFormat::ND;
};

/// The product of all dimensions.
inline int GetShapeSize(const ShapeInfo& shapeInfo) {
  int size = 1;
  for (int i = 0; i < shapeInfo.shapeDim && i < ShapeInfo::room; ++i)
    size *= static_cast<int>(shapeInfo.shape[i]);
  return size;
}

}  // namespace AscendC
