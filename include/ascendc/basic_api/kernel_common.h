// Names that every Ascend C kernel file may use: element types, positions, repeat parameters.
// Source: Ascend C API, auxiliary data structures.
#pragma once
#include <cstdint>

#include "toprope/driver/words.h"
#include "toprope/isa/operand.h"
#include "toprope/types/dtype.h"

using half = toprope::half;
using bfloat16_t = toprope::bfloat16;

#ifndef GM_ADDR
#define GM_ADDR __gm__ uint8_t*
#endif

namespace AscendC {

enum class TPosition : uint8_t {
  GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM,
  C2PIPE2LOCAL, MAX
};
using QuePosition = TPosition;

enum class Hardware : uint8_t { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF, MAX };

inline constexpr int32_t DEFAULT_BLK_NUM = 8;
inline constexpr int32_t DEFAULT_BLK_STRIDE = 1;
inline constexpr uint8_t DEFAULT_REPEAT_STRIDE = 8;
inline constexpr uint64_t MASK_PLACEHOLDER = 0;
inline constexpr uint64_t MASK_PLACEHOLDER_LIST[2] = {0, 0};
inline constexpr int32_t ONE_BLK_SIZE = 32;
inline constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;

/// The physical memory of a logical position (dav-2201: GM also backs SPM and CO2).
constexpr toprope::Mem memory_of(TPosition position) {
  switch (position) {
    case TPosition::GM: case TPosition::CO2: case TPosition::SPM: return toprope::Mem::GM;
    case TPosition::A1: case TPosition::B1: case TPosition::C1: case TPosition::TSCM: return toprope::Mem::L1;
    case TPosition::A2: return toprope::Mem::L0A;
    case TPosition::B2: return toprope::Mem::L0B;
    case TPosition::CO1: return toprope::Mem::L0C;
    case TPosition::C2: return toprope::Mem::BT;
    case TPosition::C2PIPE2GM: case TPosition::C2PIPE2LOCAL: return toprope::Mem::FB;
    default: return toprope::Mem::UB;
  }
}

/// Strides of a two-source instruction in DataBlocks of 32 bytes, from start to start.
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  constexpr BinaryRepeatParams(uint8_t dstBlk, uint8_t src0Blk, uint8_t src1Blk, uint8_t dstRep, uint8_t src0Rep,
                               uint8_t src1Rep)
      : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk), dstRepStride(dstRep),
        src0RepStride(src0Rep), src1RepStride(src1Rep) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE, src0BlkStride = DEFAULT_BLK_STRIDE, src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE, src0RepStride = DEFAULT_REPEAT_STRIDE,
          src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false;
};

/// Strides of a one-source instruction. halfBlock: CastDequant writes the upper half of each DataBlock.
struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  constexpr UnaryRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint8_t dstRep, uint8_t srcRep, bool half = false)
      : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep), halfBlock(half) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE, srcBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE, srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false, halfBlock = false;
};

}  // namespace AscendC
