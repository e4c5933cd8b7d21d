#include "ascendc/host_api/tiling/transform.h"
#include "platform/tiling_assign.h"
#include "toprope/lib/transform.h"

namespace memory = toprope::lib::memory;
using toprope::platform::assign;
using toprope::platform::bytes;
using toprope::platform::extent;

namespace AscendC {
namespace {

/// Functions that need no memory say this: a buffer of no bytes cannot be allocated.
constexpr uint32_t kNothing = 32;
constexpr uint32_t kPlane = 7;

}  // namespace

void GetTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                               const uint32_t transposeTypeIn, uint32_t& maxValue, uint32_t& minValue) {
  const uint32_t rows = transposeTypeIn == kPlane ? 0 : extent(srcShape, 2);
  maxValue = minValue = bytes(memory::transpose(transposeTypeIn, typeSize, rows));
}
void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t, const uint32_t,
                            const uint32_t transposeTypeIn, tiling::ConfusionTransposeTiling& tiling) {
  tiling = {};
  tiling.scene = transposeTypeIn;
  if (transposeTypeIn == kPlane) {
    tiling.height = extent(srcShape, 0);
    tiling.width = extent(srcShape, 1);
    return;
  }
  tiling.batch = extent(srcShape, 0);
  tiling.heads = extent(srcShape, 1);
  tiling.rows = extent(srcShape, 2);
  tiling.headWidth = extent(srcShape, 3);
  tiling.columns = tiling.heads * tiling.headWidth;
}
void GetTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                            const uint32_t typeSize, const uint32_t transposeTypeIn,
                            optiling::ConfusionTransposeTiling& tiling) {
  tiling::ConfusionTransposeTiling t;
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, t);
  assign(tiling, t);
}

void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize,
                                        const uint32_t transposeTypeIn, uint32_t& maxValue,
                                        uint32_t& minValue) {
  GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize,
                                         optiling::ConfusionTransposeTiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, kPlane, tiling);
}
void GetConfusionTransposeOnlyTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, tiling::ConfusionTransposeTiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, kPlane, tiling);
}
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     optiling::ConfusionTransposeTiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}
void GetConfusionTransposeTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     tiling::ConfusionTransposeTiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}

bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
                               const TensorShape& dstShape, const TensorDataType dataType,
                               const TransDataConfig& config, uint32_t& maxValue, uint32_t& minValue) {
  const bool back = config.dstFormat == DataFormat::NCDHW;
  const DataFormat other = back ? config.srcFormat : config.dstFormat;
  const TensorShape& volume = back ? dstShape : srcShape;
  if ((!back && config.srcFormat != DataFormat::NCDHW) ||
      (other != DataFormat::NDC1HWC0 && other != DataFormat::FRACTAL_Z_3D) || volume.GetDimNum() != 5)
    return false;
  if (dataType != ge::DT_FLOAT16 && dataType != ge::DT_BF16 && dataType != ge::DT_INT16 &&
      dataType != ge::DT_UINT16)
    return false;
  maxValue = minValue = bytes(memory::trans_data(extent(volume, 3) * extent(volume, 4)));
  return true;
}

void GetPadMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                         uint32_t& minValue) {
  maxValue = minValue = bytes(memory::pad(typeSize, extent(srcShape, 1)));
}
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t, const uint32_t,
                   tiling::PadTiling& tiling) {
  tiling.srcHeight = extent(srcShape, 0);
  tiling.srcWidth = extent(srcShape, 1);
  tiling.srcOriWidth = extent(oriSrcShape, 1);
}
void PadTilingFunc(const TensorShape srcShape, const TensorShape oriSrcShape, const uint32_t stackBufferSize,
                   const uint32_t typeSize, optiling::PadTiling& tiling) {
  tiling::PadTiling t;
  PadTilingFunc(srcShape, oriSrcShape, stackBufferSize, typeSize, t);
  assign(tiling, t);
}

void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape&, const uint32_t,
                           uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = kNothing;
}
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t, const uint32_t,
                     tiling::UnPadTiling& tiling) {
  tiling.srcHeight = extent(srcShape, 0);
  tiling.srcWidth = tiling.srcOriWidth = extent(srcShape, 1);
}
void UnPadTilingFunc(const TensorShape srcShape, const uint32_t stackBufferSize, const uint32_t typeSize,
                     optiling::UnPadTiling& tiling) {
  tiling::UnPadTiling t;
  UnPadTilingFunc(srcShape, stackBufferSize, typeSize, t);
  assign(tiling, t);
}

void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const TensorShape& srcShape,
                               const TensorShape& dstShape, uint32_t typeSize, const bool, uint32_t& maxValue,
                               uint32_t& minValue) {
  const size_t last = dstShape.GetDimNum() - 1;
  if (last == 1 && extent(srcShape, 0) != extent(dstShape, 0)) {  // rows
    maxValue = minValue = kNothing;
    return;
  }
  const uint32_t rows = last == 0 ? 1 : extent(srcShape, 0), width = extent(dstShape, last);
  const uint32_t granule = memory::broadcast_granule(typeSize);
  minValue = bytes(memory::broadcast(typeSize, width, granule));
  maxValue = bytes(memory::broadcast(typeSize, width, (rows + granule - 1) / granule * granule));
}

}  // namespace AscendC
