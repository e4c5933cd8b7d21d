// BilinearInterpolation: gather DataBlocks, weight them, add them up. A composition of Gatherb, Brcb, Mul,
// Add and Copy through the temporary buffer. Source: Ascend C API, memory vector computation, basic
// arithmetic.
#pragma once
#include "basic_api/kernel_operator_data_copy_intf.h"
#include "basic_api/kernel_operator_vec_binary_intf.h"
#include "basic_api/kernel_operator_vec_brcb_intf.h"
#include "basic_api/kernel_operator_vec_gather_intf.h"

namespace AscendC {

namespace detail {

/// Calls f(first repeat, repeats) for parts of at most what one instruction repeats.
template <class F>
[[gnu::always_inline]] inline void in_parts(uint32_t repeats, F&& f) {
  constexpr uint32_t most = 255;
  for (uint32_t first = 0; first < repeats; first += most)
    f(first, static_cast<uint8_t>(repeats - first < most ? repeats - first : most));
}

template <class T, class Mask>
[[gnu::always_inline]] inline void bilinear(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                            const LocalTensor<uint32_t>& offsets, const LocalTensor<T>& src1,
                                            Mask mask, uint32_t h, bool repeat_mode, uint16_t dst_block,
                                            uint32_t v_offset, uint32_t v, const LocalTensor<uint8_t>& work) {
  static_assert(toprope::dtype_of<PrimT<T>> == toprope::DType::Half, "BilinearInterpolation takes half");
  constexpr uint32_t row = 128, block = 16, weights_of_repeat = 8;  // elements
  const uint32_t repeats = h * v;
  const auto gathered = work.template ReinterpretCast<T>();
  const auto weights = gathered[repeats * row];
  const auto blocks = gathered.template ReinterpretCast<uint16_t>();
  const auto source = src0.template ReinterpretCast<uint16_t>();
  in_parts(
      repeats, [&](uint32_t first, uint8_t n) __attribute__((always_inline)) {
        Gatherb(blocks[first * row], source, offsets[first * weights_of_repeat], n, GatherRepeatParams(1, 8));
      });
  const uint32_t used = repeat_mode ? repeats * weights_of_repeat : repeats;
  in_parts((used + weights_of_repeat - 1) / weights_of_repeat, [&](uint32_t first,
                                                                   uint8_t n) __attribute__((always_inline)) {
    Brcb(weights[first * weights_of_repeat * block], src1[first * weights_of_repeat], n,
         BrcbRepeatParams(1, 8));
  });
  // One weight a DataBlock, or the same for all of a repeat.
  const BinaryRepeatParams by_block(1, 1, 1, 8, 8, 8), by_repeat(1, 1, 0, 8, 8, 1);
  in_parts(
      repeats, [&](uint32_t first, uint8_t n) __attribute__((always_inline)) {
        Mul(gathered[first * row], gathered[first * row],
            weights[first * (repeat_mode ? weights_of_repeat : 1) * block], mask, n,
            repeat_mode ? by_block : by_repeat);
      });
  for (uint32_t i = 0; i < v; ++i) {
    const auto out = dst[i * v_offset];
    const auto rows = gathered[i * h * row];
    if (h == 1) {
      Copy(out, rows, mask, 1, CopyRepeatParams(dst_block, 1, 8, 8));
      continue;
    }
    const auto step = static_cast<uint8_t>(dst_block);
    Add(out, rows, rows[row], mask, 1, BinaryRepeatParams(step, 1, 1, 8, 8, 8));
    for (uint32_t k = 2; k < h; ++k)
      Add(out, out, rows[k * row], mask, 1, BinaryRepeatParams(step, step, 1, 8, 8, 8));
  }
}

}  // namespace detail

/// For each of vRepeat rows of dst (vROffset elements apart) the sum over hRepeat rows of 128 elements, which
/// Gatherb collects from src0; each row is multiplied by one element of src1, or (repeatMode) each of its 8
/// DataBlocks by one. sharedTmpBuffer: 32 bytes for each element of src0 and of src1.
template <class T>
[[gnu::always_inline]] inline void BilinearInterpolation(
    const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
    const LocalTensor<T>& src1, uint64_t mask[], uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
    uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer) {
  detail::bilinear(dst, src0, src0Offset, src1, mask, hRepeat, repeatMode, dstBlkStride, vROffset, vRepeat,
                   sharedTmpBuffer);
}
template <class T>
[[gnu::always_inline]] inline void BilinearInterpolation(
    const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<uint32_t>& src0Offset,
    const LocalTensor<T>& src1, uint64_t mask, uint8_t hRepeat, bool repeatMode, uint16_t dstBlkStride,
    uint16_t vROffset, uint8_t vRepeat, const LocalTensor<uint8_t>& sharedTmpBuffer) {
  detail::bilinear(dst, src0, src0Offset, src1, mask, hRepeat, repeatMode, dstBlkStride, vROffset, vRepeat,
                   sharedTmpBuffer);
}

}  // namespace AscendC
