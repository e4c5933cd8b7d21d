#include <algorithm>

#include "ascendc/host_api/tiling/normalization.h"
#include "platform/tiling_assign.h"
#include "toprope/lib/normalization.h"

namespace memory = toprope::lib::memory;
using memory::largest_tile;
using toprope::lib::NormRows;
using toprope::platform::assign;
using toprope::platform::bytes;
using toprope::platform::extent;

namespace AscendC {
namespace {

/// [B, S, H] or [B, S, H, H before padding].
NormRows rows_of(const TensorShape& shape) {
  const uint32_t width = extent(shape, 2);
  return {extent(shape, 0) * extent(shape, 1), width, shape.GetDimNum() > 3 ? extent(shape, 3) : width};
}
/// [A, R], whose rows in UB start at multiples of 32 bytes.
NormRows rows_of_ar(const TensorShape& shape, uint32_t size) {
  const uint32_t unit = 32 / size, width = (extent(shape, 1) + unit - 1) / unit * unit;
  return {extent(shape, 0), width, extent(shape, 1)};
}

/// Makes `t` anew with the fields that all structs of rows in tiles have.
template <class Tiling>
void fill_tiles(Tiling& t, const NormRows& rows, uint32_t tile, uint32_t stack) {
  t = {};
  t.inputXSize = rows.rows * rows.width;
  t.meanVarSize = rows.rows;
  t.tmpBufSize = stack;
  t.oneTmpSize = t.inputRoundSize = tile * rows.width;
  t.meanVarRoundSize = tile;
  t.loopRound = rows.rows / tile;
  t.meanVarTailSize = rows.rows % tile;
  t.meanVarTailPos = rows.rows - t.meanVarTailSize;
  t.inputTailSize = t.meanVarTailSize * rows.width;
  t.inputTailPos = t.meanVarTailPos * rows.width;
}

/// The fields that LayerNormTiling and DeepNormTiling share.
template <class Tiling>
void fill_rows(Tiling& t, const TensorShape& shape, const NormRows& rows, uint32_t tile, uint32_t stack) {
  fill_tiles(t, rows, tile, stack);
  t.bLength = extent(shape, 0);
  t.sLength = extent(shape, 1);
  t.hLength = rows.width;
  t.originalHLength = rows.valid;
  t.bsCurLength = tile;
  t.bshCurLength = tile * rows.width;
  t.lastDimValueBack = 1.0f / static_cast<float>(rows.valid);
}

bool is_basic(const NormRows& rows, uint32_t most) {
  return rows.width % 64 == 0 && rows.width <= most && rows.rows % 8 == 0;
}

}  // namespace

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                               uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = rows_of(srcShape);
  maxValue = bytes(memory::layer_norm(typeSize, rows, rows.rows));
  minValue = bytes(memory::layer_norm(typeSize, rows, 1));
}

void GetLayerNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool, const bool,
                               const bool, uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = rows_of_ar(srcShape, typeSize);
  maxValue = bytes(memory::layer_norm_rstd(typeSize, rows, rows.rows));
  minValue = bytes(memory::layer_norm_rstd(typeSize, rows, 1));
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool, tiling::LayerNormTiling& tiling) {
  const NormRows rows = rows_of(srcShape);
  fill_rows(tiling, srcShape, rows,
            largest_tile(stackBufferSize, rows.rows,
                         [&](uint32_t t) { return memory::layer_norm(typeSize, rows, t); }),
            stackBufferSize);
}
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource,
                              optiling::LayerNormTiling& tiling) {
  tiling::LayerNormTiling t;
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, t);
  assign(tiling, t);
}
void GetLayerNormNDTillingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                               const uint32_t typeSize, const bool isReuseSource,
                               optiling::LayerNormTiling& tilling) {
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, tilling);
}

void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool, const bool,
                              tiling::LayerNormSeparateTiling& tiling) {
  const NormRows rows = rows_of_ar(srcShape, typeSize);
  const uint32_t tile = largest_tile(stackBufferSize, rows.rows,
                                     [&](uint32_t t) { return memory::layer_norm_rstd(typeSize, rows, t); });
  fill_tiles(tiling, rows, tile, stackBufferSize);
  tiling.aLength = rows.rows;
  tiling.rLength = rows.valid;
  tiling.aCurLength = tile;
  tiling.arCurLength = tile * rows.width;
  tiling.rValueBack = 1.0f / static_cast<float>(rows.valid);
}
void GetLayerNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource, const bool isComputeRstd,
                              optiling::LayerNormSeparateTiling& tiling) {
  tiling::LayerNormSeparateTiling t;
  GetLayerNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, isComputeRstd, t);
  assign(tiling, t);
}

void GetNormalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t typeSizeT,
                               const bool, const bool, const bool, uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = rows_of_ar(srcShape, typeSizeT);
  maxValue = bytes(memory::normalize(typeSizeT, rows, rows.rows));
  minValue = bytes(memory::normalize(typeSizeT, rows, 1));
}

void GetLayerNormGradMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                                   uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = rows_of(srcShape);
  maxValue = bytes(memory::layer_norm_grad(typeSize, rows, rows.rows));
  minValue = bytes(memory::layer_norm_grad(typeSize, rows, 1));
}
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                  const uint32_t typeSize, const bool, tiling::LayerNormGradTiling& tiling) {
  const NormRows rows = rows_of(srcShape);
  const uint32_t tile = largest_tile(stackBufferSize, rows.rows,
                                     [&](uint32_t t) { return memory::layer_norm_grad(typeSize, rows, t); });
  tiling = {};
  tiling.stackBufferSize = stackBufferSize;
  tiling.bLength = extent(srcShape, 0);
  tiling.sLength = extent(srcShape, 1);
  tiling.hLength = rows.width;
  tiling.originalHLength = rows.valid;
  tiling.oneCalSize = tile * rows.width;
  tiling.nohCalSize = tile;
  tiling.loopNum = rows.rows / tile;
  tiling.nohTailSize = rows.rows % tile;
  tiling.tailSize = tiling.nohTailSize * rows.width;
}
void GetLayerNormGradNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                  const uint32_t typeSize, const bool isReuseSource,
                                  optiling::LayerNormGradTiling& tiling) {
  tiling::LayerNormGradTiling t;
  GetLayerNormGradNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, t);
  assign(tiling, t);
}

void GetLayerNormGradBetaMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                                       uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = bytes(memory::layer_norm_grad_beta(typeSize, extent(srcShape, 2)));
}
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t, const bool, tiling::LayerNormGradBetaTiling& tiling) {
  const NormRows rows = rows_of(srcShape);
  tiling = {};
  tiling.stackBufferSize = stackBufferSize;
  tiling.bLength = extent(srcShape, 0);
  tiling.sLength = extent(srcShape, 1);
  tiling.hLength = rows.width;
  tiling.originalHLength = rows.valid;
  tiling.bsLength = rows.rows;
  tiling.bshLength = rows.rows * rows.width;
  tiling.oneCalSize = tiling.bshCurLength = rows.width;
  tiling.bsCurLength = 1;
  tiling.loopRound = rows.rows;
}
void GetLayerNormGradBetaNDTilingInfo(const TensorShape srcShape, const uint32_t stackBufferSize,
                                      const uint32_t typeSize, const bool isReuseSource,
                                      optiling::LayerNormGradBetaTiling& tiling) {
  tiling::LayerNormGradBetaTiling t;
  GetLayerNormGradBetaNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, t);
  assign(tiling, t);
}

bool GetRmsNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                             uint32_t& minValue, const bool isBasicBlock) {
  const NormRows rows = rows_of(srcShape);
  if (isBasicBlock && !is_basic(rows, 2047)) return false;
  maxValue = bytes(memory::rms_norm(typeSize, rows, rows.rows));
  minValue = bytes(memory::rms_norm(typeSize, rows, 1));
  return true;
}
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize,
                          tiling::RmsNormTiling& tiling, const bool isBasicBlock) {
  NormRows rows = rows_of(srcShape);
  rows.valid = extent(originSrcShape, 2);
  const auto need = [&](uint32_t t) { return memory::rms_norm(typeSize, rows, t); };
  if ((isBasicBlock && (!is_basic(rows, 2047) || rows.valid != rows.width)) || need(1) > stackBufferByteSize)
    return false;
  const uint32_t tile = largest_tile(stackBufferByteSize, rows.rows, need);
  tiling = {};
  tiling.bLength = extent(srcShape, 0);
  tiling.sLength = extent(srcShape, 1);
  tiling.hLength = rows.width;
  tiling.originalHLength = rows.valid;
  tiling.reciprocalOfHLength = 1.0f / static_cast<float>(rows.valid);
  tiling.mainBsLength = tile;
  tiling.mainBsLengthAlign = (tile + 7) / 8 * 8;
  tiling.mainBshLength = tile * rows.width;
  tiling.loopRound = rows.rows / tile;
  tiling.tailBsLength = rows.rows % tile;
  tiling.tailBshLength = tiling.tailBsLength * rows.width;
  tiling.inputTailPos = rows.rows * rows.width - tiling.tailBshLength;
  return true;
}
bool GetRmsNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                          const uint32_t stackBufferByteSize, const uint32_t typeSize,
                          optiling::RmsNormTiling& tiling, const bool isBasicBlock) {
  tiling::RmsNormTiling t;
  if (!GetRmsNormTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, t, isBasicBlock))
    return false;
  assign(tiling, t);
  return true;
}

bool GetDeepNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                              const bool isBasicBlock, uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = rows_of(srcShape);
  if (rows.width > 2040 || (isBasicBlock && !is_basic(rows, 2040))) return false;
  maxValue = bytes(memory::layer_norm(typeSize, rows, rows.rows));
  minValue = bytes(memory::layer_norm(typeSize, rows, 1));
  return true;
}
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool,
                           const bool isBasicBlock, tiling::DeepNormTiling& tiling) {
  NormRows rows = rows_of(srcShape);
  rows.valid = extent(originSrcShape, 2);
  const auto need = [&](uint32_t t) { return memory::layer_norm(typeSize, rows, t); };
  if (rows.width > 2040 || rows.valid == 0 || rows.valid > rows.width || need(1) > stackBufferSize ||
      (isBasicBlock && (!is_basic(rows, 2040) || rows.valid != rows.width)))
    return false;
  fill_rows(tiling, srcShape, rows, largest_tile(stackBufferSize, rows.rows, need), stackBufferSize);
  return true;
}
bool GetDeepNormTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                           const uint32_t stackBufferSize, const uint32_t typeSize, const bool isReuseSource,
                           const bool isBasicBlock, optiling::DeepNormTiling& tiling) {
  tiling::DeepNormTiling t;
  if (!GetDeepNormTilingInfo(srcShape, originSrcShape, stackBufferSize, typeSize, isReuseSource, isBasicBlock,
                             t))
    return false;
  assign(tiling, t);
  return true;
}

namespace {
uint32_t plane_of(const TensorShape& shape) { return extent(shape, 1) * extent(shape, 2); }
bool batch_norm_takes(const TensorShape& shape, const TensorShape& origin, uint32_t size, bool basic) {
  const uint32_t plane = plane_of(shape), batch = extent(origin, 0);
  return batch != 0 && batch <= extent(shape, 0) && plane * size % 32 == 0 &&
         (!basic || (batch % 8 == 0 && plane % 64 == 0 && plane < 2048));
}
}  // namespace

bool GetBatchNormMaxMinTmpSize(const TensorShape& srcShape, const TensorShape& originSrcShape,
                               const uint32_t typeSize, const bool, uint32_t& maxValue, uint32_t& minValue,
                               const bool isBasicBlock) {
  if (!batch_norm_takes(srcShape, originSrcShape, typeSize, isBasicBlock)) return false;
  const uint32_t batch = extent(originSrcShape, 0);
  maxValue = bytes(memory::batch_norm(typeSize, batch, plane_of(srcShape)));
  minValue = bytes(memory::batch_norm(typeSize, batch, 32 / typeSize));
  return true;
}
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize, const bool,
                              tiling::BatchNormTiling& tilling, const bool isBasicBlock) {
  const uint32_t batch = extent(originSrcShape, 0), plane = plane_of(srcShape), unit = 32 / typeSize;
  const auto need = [&](uint32_t t) { return memory::batch_norm(typeSize, batch, unit * t); };
  if (!batch_norm_takes(srcShape, originSrcShape, typeSize, isBasicBlock) || need(1) > stackBufferByteSize)
    return false;
  const uint32_t tile = unit * largest_tile(stackBufferByteSize, plane / unit, need);
  tilling = {};
  tilling.originalBLength = batch;
  tilling.meanVarSize = plane;
  tilling.tmpBufSize = stackBufferByteSize;
  tilling.oneTmpSize = tilling.bshCurLength = batch * tile;
  tilling.shCurLength = tile;
  tilling.shCurLengthBlockNum = tile / 8;
  tilling.loopRound = plane / tile;
  tilling.meanVarTailSize = plane % tile;
  tilling.meanVarTailPos = plane - tilling.meanVarTailSize;
  tilling.inputTailSize = batch * tilling.meanVarTailSize;
  tilling.inputTailPos = tilling.meanVarTailPos;
  tilling.firstDimValueBack = 1.0f / static_cast<float>(batch);
  return true;
}
bool GetBatchNormNDTilingInfo(const TensorShape& srcShape, const TensorShape& originSrcShape,
                              const uint32_t stackBufferByteSize, const uint32_t typeSize,
                              const bool isReuseSource, optiling::BatchNormTiling& tilling,
                              const bool isBasicBlock) {
  tiling::BatchNormTiling t;
  if (!GetBatchNormNDTilingInfo(srcShape, originSrcShape, stackBufferByteSize, typeSize, isReuseSource, t,
                                isBasicBlock))
    return false;
  assign(tilling, t);
  return true;
}

namespace {
/// Groups as rows.
NormRows groups_of(const TensorShape& shape, uint32_t groups) {
  const uint32_t width = extent(shape, 1) / groups * extent(shape, 2) * extent(shape, 3);
  return {extent(shape, 0) * groups, width, width};
}
}  // namespace

void GetGroupNormMaxMinTmpSize(const TensorShape& srcShape, const uint32_t typeSize, const bool,
                               const uint32_t groupNum, uint32_t& maxValue, uint32_t& minValue) {
  const NormRows rows = groups_of(srcShape, groupNum);
  maxValue = bytes(memory::group_norm(typeSize, rows, extent(srcShape, 1), rows.rows));
  minValue = bytes(memory::group_norm(typeSize, rows, extent(srcShape, 1), 1));
}
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool, const uint32_t groupNum,
                              tiling::GroupNormTiling& tiling) {
  const NormRows rows = groups_of(srcShape, groupNum);
  const uint32_t channels = extent(srcShape, 1),
                 tile = largest_tile(stackBufferSize, rows.rows, [&](uint32_t t) {
                   return memory::group_norm(typeSize, rows, channels, t);
                 });
  fill_tiles(tiling, rows, tile, stackBufferSize);
  tiling.n = extent(srcShape, 0);
  tiling.c = channels;
  tiling.hw = extent(srcShape, 2) * extent(srcShape, 3);
  tiling.g = groupNum;
  tiling.d = channels / groupNum;
  tiling.hwAlignSize = tiling.hw;
  tiling.dhwAlignSize = rows.width;
  tiling.bsCurLength = tile;
  tiling.bshCurLength = tile * rows.width;
  tiling.factor = 1.0f / static_cast<float>(rows.width);
}
void GetGroupNormNDTilingInfo(const TensorShape& srcShape, const uint32_t stackBufferSize,
                              const uint32_t typeSize, const bool isReuseSource, const uint32_t groupNum,
                              optiling::GroupNormTiling& tiling) {
  tiling::GroupNormTiling t;
  GetGroupNormNDTilingInfo(srcShape, stackBufferSize, typeSize, isReuseSource, groupNum, t);
  assign(tiling, t);
}

void GetWelfordUpdateMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t, const bool,
                                   const bool, uint32_t& maxValue, uint32_t& minValue) {
  minValue = bytes(memory::welford_update(64));
  maxValue = std::max(minValue, bytes(memory::welford_update((extent(srcShape, 1) + 63) / 64 * 64)));
}
void GetWelfordFinalizeMaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const bool,
                                     uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = bytes(memory::welford_finalize(extent(srcShape, 0)));
}

}  // namespace AscendC
