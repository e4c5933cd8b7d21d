// Names that every Ascend C kernel file may use: element types, positions, repeat parameters.
// Source: Ascend C API, auxiliary data structures.
#pragma once
#include <cstdint>

#include "toprope/driver/words.h"
#include "toprope/isa/mask.h"
#include "toprope/isa/operand.h"
#include "toprope/types/dtype.h"

using half = toprope::half;
using bfloat16_t = toprope::bfloat16;

#ifndef GM_ADDR
#define GM_ADDR __gm__ uint8_t*
#endif

/// Which cores a kernel runs on; the driver reads the words where they stand in KERNEL_TASK_TYPE_DEFAULT.
enum KernelMetaType {
  KERNEL_TYPE_AIV_ONLY,
  KERNEL_TYPE_AIC_ONLY,
  KERNEL_TYPE_MIX_AIV_1_0,
  KERNEL_TYPE_MIX_AIC_1_0,
  KERNEL_TYPE_MIX_AIC_1_1,
  KERNEL_TYPE_MIX_AIC_1_2,
  KERNEL_TYPE_AICORE,
  KERNEL_TYPE_VECTORCORE,
  KERNEL_TYPE_MIX_AICORE,
  KERNEL_TYPE_MIX_VECTOR_CORE,
  KERNEL_TYPE_MAX
};

// A statement like KERNEL_TASK_TYPE_DEFAULT, for one tiling key.
#ifndef KERNEL_TASK_TYPE
#define KERNEL_TASK_TYPE(key, type) static_assert(true, "")
#endif

namespace AscendC {

/// A signed 4-bit integer; two lie in a byte, the first in its low half. It has no value of its own outside
/// tensors.
struct int4b_t {
  uint8_t pair;
};

namespace detail {
/// Bytes of `elements` elements, and elements in `bytes` bytes.
template <class T>
constexpr uint64_t bytes_of(uint64_t elements) {
  return elements * sizeof(T);
}
template <>
constexpr uint64_t bytes_of<int4b_t>(uint64_t elements) {
  return elements / 2;
}
template <class T>
constexpr uint64_t elements_in(uint64_t bytes) {
  return bytes / sizeof(T);
}
template <>
constexpr uint64_t elements_in<int4b_t>(uint64_t bytes) {
  return bytes * 2;
}
}  // namespace detail

enum class TPosition : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX
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
    case TPosition::GM:
    case TPosition::CO2:
    case TPosition::SPM:
      return toprope::Mem::GM;
    case TPosition::A1:
    case TPosition::B1:
    case TPosition::C1:
    case TPosition::TSCM:
      return toprope::Mem::L1;
    case TPosition::A2:
      return toprope::Mem::L0A;
    case TPosition::B2:
      return toprope::Mem::L0B;
    case TPosition::CO1:
      return toprope::Mem::L0C;
    case TPosition::C2:
      return toprope::Mem::BT;
    case TPosition::C2PIPE2GM:
    case TPosition::C2PIPE2LOCAL:
      return toprope::Mem::FB;
    default:
      return toprope::Mem::UB;
  }
}

/// Strides of a two-source instruction in DataBlocks of 32 bytes, from start to start.
struct BinaryRepeatParams {
  BinaryRepeatParams() = default;
  constexpr BinaryRepeatParams(uint8_t dstBlk, uint8_t src0Blk, uint8_t src1Blk, uint8_t dstRep,
                               uint8_t src0Rep, uint8_t src1Rep)
      : dstBlkStride(dstBlk),
        src0BlkStride(src0Blk),
        src1BlkStride(src1Blk),
        dstRepStride(dstRep),
        src0RepStride(src0Rep),
        src1RepStride(src1Rep) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE, src0BlkStride = DEFAULT_BLK_STRIDE,
          src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE, src0RepStride = DEFAULT_REPEAT_STRIDE,
          src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false;
};

/// Strides of a one-source instruction. halfBlock: CastDequant writes the upper half of each DataBlock.
struct UnaryRepeatParams {
  UnaryRepeatParams() = default;
  constexpr UnaryRepeatParams(uint16_t dstBlk, uint16_t srcBlk, uint8_t dstRep, uint8_t srcRep,
                              bool half = false)
      : dstBlkStride(dstBlk),
        srcBlkStride(srcBlk),
        dstRepStride(dstRep),
        srcRepStride(srcRep),
        halfBlock(half) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE, srcBlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE, srcRepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false, halfBlock = false;
};

enum class MaskMode : uint8_t { NORMAL = 0, COUNTER };

/// Counter mode: the mask register holds how many elements take part in all.
[[gnu::always_inline]] inline void SetMaskCount() { toprope::isa::set_counter_mode(true); }
/// Normal mode: the mask register holds a bit for each element of a repeat.
[[gnu::always_inline]] inline void SetMaskNorm() { toprope::isa::set_counter_mode(false); }

/// Fills the mask register, which instructions with isSetMask = false use. Counter mode: maskHigh 0, maskLow
/// the number of elements.
template <class T, MaskMode mode = MaskMode::NORMAL>
[[gnu::always_inline]] static inline void SetVectorMask(const uint64_t maskHigh, const uint64_t maskLow) {
  toprope::isa::set_vector_mask(maskLow, mode == MaskMode::COUNTER ? 0 : maskHigh);
}
/// The first `len` elements: of each repeat (more than a repeat has count as all of it), or in counter mode
/// in all.
template <class T, MaskMode mode = MaskMode::NORMAL>
[[gnu::always_inline]] static inline void SetVectorMask(int32_t len) {
  const uint64_t n = len < 0 ? 0 : static_cast<uint64_t>(len);
  constexpr uint64_t all = ~uint64_t{0};
  if constexpr (mode == MaskMode::COUNTER)
    SetVectorMask<T, mode>(0, n);
  else
    SetVectorMask<T, mode>(n >= 128  ? all
                           : n <= 64 ? 0
                                     : (uint64_t{1} << (n - 64)) - 1,
                           n >= 64 ? all : (uint64_t{1} << n) - 1);
}
/// All elements.
[[gnu::always_inline]] inline void ResetMask() { toprope::isa::reset_mask(); }

}  // namespace AscendC

template <>
struct toprope::DTypeOf<AscendC::int4b_t> {
  static constexpr toprope::DType value = toprope::DType::Int4;
};
