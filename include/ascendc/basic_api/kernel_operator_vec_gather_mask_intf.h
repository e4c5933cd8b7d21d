// GatherMask: the elements whose bit is set, behind one another.
// Source: Ascend C API, memory vector computation, comparison and selection.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/gather.h"

namespace AscendC {

/// Strides in DataBlocks, from start to start; src1RepeatStride has no effect with a built-in pattern.
struct GatherMaskParams {
  GatherMaskParams() = default;
  GatherMaskParams(const uint8_t block, const uint16_t times, const uint16_t repeat, const uint8_t pattern)
      : src0BlockStride(block), repeatTimes(times), src0RepeatStride(repeat), src1RepeatStride(pattern) {}
  uint8_t src0BlockStride = DEFAULT_BLK_STRIDE;
  uint16_t repeatTimes = 0;
  uint16_t src0RepeatStride = DEFAULT_REPEAT_STRIDE;
  uint8_t src1RepeatStride = DEFAULT_REPEAT_STRIDE;
};

/// Reserved: the only mode is the default.
enum class GatherMaskMode : uint8_t { VERSION_V1 = 0, VERSION_V2 };
inline constexpr GatherMaskMode defaultGatherMaskMode = GatherMaskMode::VERSION_V1;

namespace detail {

template <class T>
[[gnu::always_inline]] inline uint64_t gather_mask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                                   const toprope::isa::KeptElements& kept, bool counter,
                                                   uint32_t mask, const GatherMaskParams& p) {
  static_assert(toprope::contains(toprope::isa::kGatherTypes, toprope::dtype_of<PrimT<T>>),
                "GatherMask does not take this element type on this chip; see its page in the Ascend C API");
  return toprope::isa::gather_mask(toprope::dtype_of<PrimT<T>>, dst.slice(),
                                   operand(src0, p.src0BlockStride, p.src0RepeatStride), kept,
                                   counter ? mask : 0, counter && mask == 0 ? 0 : p.repeatTimes);
}

}  // namespace detail

/// src1Pattern holds a bit for each element, lowest first, as uint16_t for types of 16 bits and uint32_t for
/// types of 32. reduceMode false: repeats of 256 bytes, mask has no meaning; true: each repeat has `mask`
/// elements. rsvdCnt: how many elements dst got.
template <class T, class U, GatherMaskMode mode = defaultGatherMaskMode>
[[gnu::always_inline]] inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                              const LocalTensor<U>& src1Pattern, const bool reduceMode,
                                              const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                                              uint64_t& rsvdCnt) {
  static_assert(toprope::dtype_of<PrimT<U>> ==
                    (sizeof(PrimT<T>) == 2 ? toprope::DType::UInt16 : toprope::DType::UInt32),
                "src1Pattern is a tensor of uint16_t or uint32_t, as wide as the elements");
  rsvdCnt = detail::gather_mask(dst, src0, {0, src1Pattern.slice(), gatherMaskParams.src1RepeatStride},
                                reduceMode, mask, gatherMaskParams);
}

/// src1Pattern 1, 2: the even, the odd elements; 3 to 6: the first to fourth of each four; 7: all.
template <class T, GatherMaskMode mode = defaultGatherMaskMode>
[[gnu::always_inline]] inline void GatherMask(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                              const uint8_t src1Pattern, const bool reduceMode,
                                              const uint32_t mask, const GatherMaskParams& gatherMaskParams,
                                              uint64_t& rsvdCnt) {
  rsvdCnt = detail::gather_mask(dst, src0, {src1Pattern, {}, 0}, reduceMode, mask, gatherMaskParams);
}

}  // namespace AscendC
