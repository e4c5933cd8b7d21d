// Parameters of data movement. Source: Ascend C API, the parameter tables of DataCopy, DataCopyPad and Copy.
#pragma once
#include "basic_api/kernel_common.h"
#include "toprope/isa/copy.h"

namespace AscendC {

inline constexpr uint32_t K_MAX_DIM = 8;

/// Blocks in DataBlocks of 32 bytes; a gap goes from a block's end to the next one's start. The older
/// DataCopyPad takes it too: blockLen and the gap in GM then count bytes.
struct DataCopyParams {
  DataCopyParams() : srcGap(0), dstGap(0) {}
  DataCopyParams(uint16_t count, uint16_t len, uint16_t src, uint16_t dst)
      : blockCount(count), blockLen(len), srcGap(src), dstGap(dst) {}
  uint16_t blockCount = 1;  ///< 0 … 4095
  uint16_t blockLen = 0;
  union {
    uint16_t srcGap;
    uint16_t srcStride;
  };
  union {
    uint16_t dstGap;
    uint16_t dstStride;
  };
};

/// Rows in bytes; strides go from a row's end to the next one's start, in bytes in GM and DataBlocks in UB.
struct DataCopyExtParams {
  DataCopyExtParams() = default;
  DataCopyExtParams(uint16_t count, uint32_t len, uint32_t src, uint32_t dst, uint32_t reserved)
      : blockCount(count), blockLen(len), srcStride(src), dstStride(dst), rsv(reserved) {}
  uint16_t blockCount = 1;  ///< 0 … 4095
  uint32_t blockLen = 0;    ///< 0 … 2097151 bytes
  uint32_t srcStride = 0;
  uint32_t dstStride = 0;
  uint32_t rsv = 0;
};

/// Padding of DataCopyPad in elements, at most 32 bytes a side.
struct DataCopyPadParams {
  DataCopyPadParams() = default;
  DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0, rightPadding = 0;
  uint64_t paddingValue = 0;  ///< the element's bits
};

template <class T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() = default;
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad = false;
  uint8_t leftPadding = 0, rightPadding = 0;
  T paddingValue = T(0);
};

enum class PaddingMode : uint8_t { Normal = 0, Compact };

using SliceInfo = toprope::isa::SliceRange;

/// ND in GM to NZ; strides from start to start.
struct Nd2NzParams {
  Nd2NzParams() = default;
  Nd2NzParams(uint16_t num, uint16_t n, uint16_t d, uint16_t srcMatrix, uint16_t srcD, uint16_t c0,
              uint16_t nzN, uint16_t nzMatrix)
      : ndNum(num),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(srcMatrix),
        srcDValue(srcD),
        dstNzC0Stride(c0),
        dstNzNStride(nzN),
        dstNzMatrixStride(nzMatrix) {}
  uint16_t ndNum = 0;              ///< matrices, 0 … 4095
  uint16_t nValue = 0;             ///< rows, 0 … 16384
  uint16_t dValue = 0;             ///< columns
  uint16_t srcNdMatrixStride = 0;  ///< elements
  uint16_t srcDValue = 0;          ///< elements between rows, 1 and up
  uint16_t dstNzC0Stride = 0;      ///< DataBlocks between the parts of a row, 1 … 16384
  uint16_t dstNzNStride = 0;       ///< DataBlocks between rows, 1 … 16384
  uint16_t dstNzMatrixStride = 0;  ///< elements
};

/// NZ in UB to ND in GM; strides from start to start.
struct Nz2NdParamsFull {
  Nz2NdParamsFull() = default;
  Nz2NdParamsFull(uint16_t num, uint16_t n, uint16_t d, uint16_t srcMatrix, uint16_t srcN, uint16_t dstD,
                  uint16_t dstMatrix)
      : ndNum(num),
        nValue(n),
        dValue(d),
        srcNdMatrixStride(srcMatrix),
        srcNStride(srcN),
        dstDStride(dstD),
        dstNdMatrixStride(dstMatrix) {}
  uint16_t ndNum = 1;              ///< matrices, 0 … 4095
  uint16_t nValue = 0;             ///< rows, 1 … 8192
  uint16_t dValue = 0;             ///< columns, 1 … 8192, a multiple of 16
  uint16_t srcNdMatrixStride = 1;  ///< 256 elements, 1 … 512
  uint16_t srcNStride = 0;         ///< 16 elements, 0 … 4096
  uint16_t dstDStride = 0;         ///< elements, 1 and up
  uint16_t dstNdMatrixStride = 1;  ///< elements, 1 and up
};

/// Strides of Copy in DataBlocks, from start to start.
struct CopyRepeatParams {
  CopyRepeatParams() = default;
  CopyRepeatParams(uint16_t dst, uint16_t src, uint16_t dstRepeat, uint16_t srcRepeat)
      : dstStride(dst), srcStride(src), dstRepeatSize(dstRepeat), srcRepeatSize(srcRepeat) {}
  uint16_t dstStride = DEFAULT_BLK_STRIDE,
           srcStride = DEFAULT_BLK_STRIDE;  ///< between the blocks of a repeat
  uint16_t dstRepeatSize = DEFAULT_REPEAT_STRIDE,
           srcRepeatSize = DEFAULT_REPEAT_STRIDE;  ///< between repeats, 0 … 4095
};

}  // namespace AscendC
