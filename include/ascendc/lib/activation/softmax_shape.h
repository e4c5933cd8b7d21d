// What the functions of the softmax family are told besides tensors, for kernels and for hosts.
// Source: Ascend C API, high-level API, activation, SoftMax.
#pragma once
#include <cstdint>

#include "kernel_tiling/kernel_tiling.h"
#include "toprope/lib/softmax.h"

namespace AscendC {

/// oriSrcM and oriSrcK: the matrix without padding; a row is srcK elements, a multiple of 32 bytes.
struct SoftMaxShapeInfo {
  constexpr SoftMaxShapeInfo() = default;
  constexpr SoftMaxShapeInfo(uint32_t m, uint32_t k, uint32_t oriM, uint32_t oriK)
      : srcM(m), srcK(k), oriSrcM(oriM), oriSrcK(oriK) {}
  uint32_t srcM{0}, srcK{0}, oriSrcM{0}, oriSrcK{0};
};

/// For SoftmaxFlashV3: loopCnt counts the calls that continue each other, splitMeanCnt is 8.
struct SoftMaxParams {
  constexpr SoftMaxParams() = default;
  constexpr SoftMaxParams(uint32_t m, uint32_t k, uint32_t oriM, uint32_t oriK, uint32_t loops,
                          uint32_t parts, float shift)
      : srcM(m), srcK(k), oriSrcM(oriM), oriSrcK(oriK), loopCnt(loops), splitMeanCnt(parts), alpha(shift) {}
  uint32_t srcM{0}, srcK{0}, oriSrcM{0}, oriSrcK{0}, loopCnt{0}, splitMeanCnt{0};
  float alpha{0};
};

enum class SoftmaxMode { SOFTMAX_NORMAL = 0, SOFTMAX_OUTPUT_WITHOUT_BRC = 1 };

/// oriSrcM and oriSrcK: a shape that is known when the kernel is compiled; 0 for none.
struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0, oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};
inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

namespace detail {

/// The most rows, up to `rows`, for which bytes(rows) does not exceed `room`; at least one.
template <class Bytes>
constexpr uint32_t rows_in(uint64_t room, uint32_t rows, Bytes bytes) {
  uint32_t fits = 1;
  while (fits < rows && bytes(fits + 1) <= room) ++fits;
  return fits;
}

/// A tiling of m rows of k elements, `split` at once; values of rows have `block` elements.
template <class Tiling>
constexpr Tiling softmax_tiling(uint32_t m, uint32_t k, uint32_t block, uint32_t split) {
  const uint32_t tail = m % split;
  return {m,     k,     m * k,         m,         block, m * block, split,       k, split * k,
          split, block, split * block, m / split, tail,  tail * k,  tail * block};
}

}  // namespace detail

/// The tiling that a kernel computes itself when its shape is not the one that the host knew.
constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(const SoftMaxShapeInfo& shapeInfo,
                                                 const uint32_t dataTypeSize1, const uint32_t dataTypeSize2,
                                                 const uint32_t localWorkSpaceSize,
                                                 const bool isUpdate = false, const bool isBasicBlock = false,
                                                 const bool isDataFormatNZ = false,
                                                 const bool isFlashOutputBrc = false) {
  (void)dataTypeSize1, (void)isUpdate, (void)isBasicBlock, (void)isDataFormatNZ;
  const uint32_t split = detail::rows_in(localWorkSpaceSize, shapeInfo.srcM, [&](uint32_t rows) {
    return toprope::lib::softmax_bytes(rows, shapeInfo.srcK, 1);
  });
  return detail::softmax_tiling<SoftMaxTiling>(shapeInfo.srcM, shapeInfo.srcK,
                                               isFlashOutputBrc ? 1 : 32 / dataTypeSize2, split);
}

}  // namespace AscendC
