#include <algorithm>

#include "ascendc/host_api/tiling/quantization.h"
#include "platform/tiling_assign.h"
#include "toprope/lib/quantization.h"

namespace memory = toprope::lib::memory;
using toprope::platform::bytes;

namespace AscendC {
namespace {

uint64_t size_of(const TensorShape& shape) {
  return static_cast<uint64_t>(std::max<int64_t>(shape.GetShapeSize(), 1));
}
uint64_t last_of(const TensorShape& shape) {
  return static_cast<uint64_t>(shape.GetDimNum() == 0 ? 1 : shape.GetDim(shape.GetDimNum() - 1));
}
uint64_t whole(uint64_t count, uint64_t unit) { return (count + unit - 1) / unit * unit; }

/// A buffer of no bytes cannot be allocated.
constexpr uint64_t kNothing = 32;

/// `all`: everything at once, else the least that works.
uint64_t antiquant(const TensorShape& src, const TensorShape& scale, bool transposed, bool to_half,
                   bool all) {
  const uint64_t count = size_of(src), parameters = size_of(scale);
  if (parameters == 1) return to_half ? kNothing : 6 * (all ? whole(count, 64) : 64);
  if (!transposed) {
    const uint64_t width = last_of(scale);
    return to_half ? kNothing : memory::antiquant_rows(width, all ? std::max<uint64_t>(1, count / width) : 1);
  }
  return memory::antiquant_groups(to_half, count / parameters, all ? whole(parameters, 16) : 16);
}

}  // namespace

void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
  minValue = 64 * memory::quant_element(typeSize);
  maxValue = bytes(whole(size_of(srcShape), 64) * memory::quant_element(typeSize));
}
void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  maxLiveNodeCount = 1;
  extraBuf = 0;
}

void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, uint32_t& maxValue,
                                   uint32_t& minValue) {
  const uint64_t columns = last_of(srcShape);
  minValue = bytes(memory::dequant(columns, 1));
  maxValue = bytes(memory::dequant(columns, size_of(srcShape) / columns));
}
void GetAscendDequantTmpBufferFactorSize(const TensorShape& srcShape, uint32_t& maxLiveNodeCount,
                                         uint32_t& extraBuf) {
  maxLiveNodeCount = 1;
  extraBuf = bytes(memory::dequant(last_of(srcShape), 0));
}

uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                      bool isTranspose, TensorDataType, TensorDataType outputDataType) {
  return bytes(antiquant(srcShape, scaleShape, isTranspose, outputDataType == ge::DT_FLOAT16, true));
}
uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                      bool isTranspose, TensorDataType, TensorDataType outputDataType) {
  return bytes(antiquant(srcShape, scaleShape, isTranspose, outputDataType == ge::DT_FLOAT16, false));
}
void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                     bool isTranspose, TensorDataType inputDataType,
                                     TensorDataType outputDataType, uint32_t& maxValue, uint32_t& minValue) {
  maxValue = GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
  minValue = GetAscendAntiQuantMinTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
}
void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& srcShape, const TensorShape& scaleShape,
                                           bool isTranspose, TensorDataType inputDataType,
                                           TensorDataType outputDataType, uint32_t& maxLiveNodeCount,
                                           uint32_t& extraBuf) {
  // Elements of one byte: what all of them need, a byte of input each.
  const uint64_t all =
      GetAscendAntiQuantMaxTmpSize(srcShape, scaleShape, isTranspose, inputDataType, outputDataType);
  maxLiveNodeCount = bytes((all + size_of(srcShape) - 1) / size_of(srcShape));
  extraBuf = 0;
}

}  // namespace AscendC
