// Gather: elements by byte offset. Gatherb: DataBlocks by byte offset.
// Source: Ascend C API, memory vector computation, scatter and gather.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/gather.h"

namespace AscendC {

/// Strides of dst in DataBlocks, from start to start. The other members of the documented structure have no
/// effect.
struct GatherRepeatParams {
  GatherRepeatParams() = default;
  GatherRepeatParams(uint8_t block, uint8_t repeat) : dstBlkStride(block), dstRepStride(repeat) {}
  uint32_t blockNumber = DEFAULT_BLK_NUM;
  uint8_t dstBlkStride = DEFAULT_BLK_STRIDE, src0BlkStride = DEFAULT_BLK_STRIDE,
          src1BlkStride = DEFAULT_BLK_STRIDE;
  uint8_t dstRepStride = DEFAULT_REPEAT_STRIDE, src0RepStride = DEFAULT_REPEAT_STRIDE,
          src1RepStride = DEFAULT_REPEAT_STRIDE;
  bool repeatStrideMode = false, strideSizeMode = false;
};

namespace detail {

template <class T>
[[gnu::always_inline]] inline void gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<uint32_t>& offsets, uint32_t base,
                                          const toprope::isa::VecShape& shape, uint16_t repeat_stride = 8) {
  static_assert(toprope::contains(toprope::isa::kGatherTypes, toprope::dtype_of<PrimT<T>>),
                "Gather does not take this element type on this chip; see its page in the Ascend C API");
  toprope::isa::gather(toprope::dtype_of<PrimT<T>>, operand(dst, 1, repeat_stride), src.slice(),
                       offsets.slice(), base, shape);
}

}  // namespace detail

/// dst[i] = src[(srcBaseAddr + srcOffset[i]) / sizeof(T)].
template <class T>
[[gnu::always_inline]] inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                                          const uint32_t count) {
  detail::gather(dst, src, srcOffset, srcBaseAddr, detail::first(count));
}
template <class T>
[[gnu::always_inline]] inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                                          const uint64_t mask[], const uint8_t repeatTime,
                                          const uint16_t dstRepStride) {
  detail::gather(dst, src, srcOffset, srcBaseAddr, detail::repeats(true, mask, repeatTime), dstRepStride);
}
template <class T>
[[gnu::always_inline]] inline void Gather(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                          const LocalTensor<uint32_t>& srcOffset, const uint32_t srcBaseAddr,
                                          const uint64_t mask, const uint8_t repeatTime,
                                          const uint16_t dstRepStride) {
  detail::gather(dst, src, srcOffset, srcBaseAddr, detail::repeats(true, mask, repeatTime), dstRepStride);
}

/// DataBlock i of dst = the 32 bytes of src from byte offset[i] on, 8 a repeat.
template <class T>
[[gnu::always_inline]] inline void Gatherb(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                           const LocalTensor<uint32_t>& offset, const uint8_t repeatTime,
                                           const GatherRepeatParams& repeatParams) {
  static_assert(toprope::contains(toprope::isa::kGatherBlockTypes, toprope::dtype_of<PrimT<T>>),
                "Gatherb takes uint16_t or uint32_t on this chip");
  toprope::isa::gather_blocks(detail::operand(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride),
                              src.slice(), offset.slice(), repeatTime);
}

}  // namespace AscendC
