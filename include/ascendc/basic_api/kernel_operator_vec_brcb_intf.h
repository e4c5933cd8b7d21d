// Brcb: each of 8 elements into a DataBlock of its own.
// Source: Ascend C API, memory vector computation, data filling.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/fill.h"

namespace AscendC {

/// Strides of dst in DataBlocks, from start to start; src is read consecutively. The other members of the
/// documented structure have no effect.
struct BrcbRepeatParams {
  BrcbRepeatParams() = default;
  BrcbRepeatParams(uint16_t block, uint16_t repeat) : dstBlkStride(block), dstRepStride(repeat) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint16_t dstBlkStride = DEFAULT_BLK_STRIDE;
  uint16_t dstRepStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1BlkStride = DEFAULT_BLK_STRIDE, src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false;
};

/// src holds at least 8 * repeatTime elements and shares no byte with dst.
template <class T>
[[gnu::always_inline]] inline void Brcb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                        const uint8_t repeatTime, const BrcbRepeatParams& repeatParams) {
  static_assert(toprope::contains(toprope::isa::kFillTypes, toprope::dtype_of<PrimT<T>>),
                "Brcb does not take this element type on this chip; see its page in the Ascend C API");
  toprope::isa::brcb(toprope::dtype_of<PrimT<T>>,
                     detail::operand(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride), src.slice(),
                     repeatTime);
}

}  // namespace AscendC
