// Reductions. Older names (WholeReduce…, BlockReduce…, PairReduceSum, RepeatReduceSum, GetReduceMaxMinCount,
// GetAccVal) are the same instructions with other parameter orders. Source: Ascend C API, memory vector
// computation, reduction.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/reduce.h"

namespace AscendC {

enum class ReduceType : uint8_t { SUM, MAX, MIN };

/// Layout of a maximum or minimum and its index in dst. The index lies in the bits of T, alone as uint32_t.
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

namespace detail {

constexpr toprope::isa::Reduce reduce_of(ReduceType type) { return static_cast<toprope::isa::Reduce>(type); }

template <class T, class U>
constexpr toprope::DType reduce_type() {
  static_assert(toprope::contains(toprope::isa::kReduceTypes, toprope::dtype_of<PrimT<U>>),
                "reductions take half or float on this chip");
  static_assert(toprope::dtype_of<PrimT<T>> == toprope::dtype_of<PrimT<U>>,
                "dst and src of a reduction have the same element type on this chip");
  return toprope::dtype_of<PrimT<U>>;
}

[[gnu::always_inline]] inline toprope::isa::VecShape reduce_mask(bool set_mask, int32_t mask) {
  return repeats(set_mask, static_cast<uint64_t>(mask > 0 ? mask : 0), 1);
}
[[gnu::always_inline]] inline toprope::isa::VecShape reduce_mask(bool set_mask, const uint64_t mask[]) {
  return repeats(set_mask, mask, 1);
}

}  // namespace detail

/// One result for each repeat. dstRepStride counts results: two elements with value and index, else one.
template <ReduceType reduceType, class T, class U, bool isSetMask = true, class Mask>
[[gnu::always_inline]] inline void ReduceRepeat(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                Mask mask, const int32_t repeatTime,
                                                const int32_t dstRepStride, const int32_t srcBlkStride,
                                                const int32_t srcRepStride,
                                                ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  toprope::isa::reduce_repeat(detail::reduce_of(reduceType), detail::reduce_type<T, U>(), dst.slice(),
                              src.slice(), detail::reduce_mask(isSetMask, mask),
                              {repeatTime, dstRepStride, srcBlkStride, srcRepStride},
                              static_cast<toprope::isa::ReduceOrder>(order));
}

/// Eight results for each repeat, one a DataBlock; dstRepStride counts eight results.
template <ReduceType reduceType, class T, class U, bool isSetMask = true, class Mask>
[[gnu::always_inline]] inline void ReduceDataBlock(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                   Mask mask, const int32_t repeatTime,
                                                   const int32_t dstRepStride, const int32_t srcBlkStride,
                                                   const int32_t srcRepStride) {
  toprope::isa::reduce_block(detail::reduce_of(reduceType), detail::reduce_type<T, U>(), dst.slice(),
                             src.slice(), detail::reduce_mask(isSetMask, mask),
                             {repeatTime, dstRepStride, srcBlkStride, srcRepStride});
}

/// Sums of neighbours; dstRepStride counts half repeats, 128 bytes.
template <ReduceType reduceType, class T, class U, bool isSetMask = true, class Mask>
[[gnu::always_inline]] inline void ReducePairElem(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                                  Mask mask, const int32_t repeatTime,
                                                  const int32_t dstRepStride, const int32_t srcBlkStride,
                                                  const int32_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM, "ReducePairElem only sums");
  toprope::isa::reduce_pair(detail::reduce_type<T, U>(), dst.slice(), src.slice(),
                            detail::reduce_mask(isSetMask, mask),
                            {repeatTime, dstRepStride, srcBlkStride, srcRepStride});
}

#define TOPROPE_OP(Whole, Block, type)                                                                      \
  template <class T, bool isSetMask = true, class Mask>                                                     \
  [[gnu::always_inline]] inline void Block(const LocalTensor<T>& dst, const LocalTensor<T>& src,            \
                                           const int32_t repeatTime, Mask mask, const int32_t dstRepStride, \
                                           const int32_t srcBlkStride, const int32_t srcRepStride) {        \
    ReduceDataBlock<type, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,          \
                                           srcRepStride);                                                   \
  }                                                                                                         \
  template <class T, bool isSetMask = true, class Mask>                                                     \
  [[gnu::always_inline]] inline void Whole(const LocalTensor<T>& dst, const LocalTensor<T>& src, Mask mask, \
                                           const int32_t repeatTime, const int32_t dstRepStride,            \
                                           const int32_t srcBlkStride, const int32_t srcRepStride,          \
                                           ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {            \
    ReduceRepeat<type, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,             \
                                        srcRepStride, order);                                               \
  }
TOPROPE_OP(WholeReduceSum, BlockReduceSum, ReduceType::SUM)
TOPROPE_OP(WholeReduceMax, BlockReduceMax, ReduceType::MAX)
TOPROPE_OP(WholeReduceMin, BlockReduceMin, ReduceType::MIN)
#undef TOPROPE_OP

template <class T, bool isSetMask = true, class Mask>
[[gnu::always_inline]] inline void PairReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                 const int32_t repeatTime, Mask mask,
                                                 const int32_t dstRepStride, const int32_t srcBlkStride,
                                                 const int32_t srcRepStride) {
  ReducePairElem<ReduceType::SUM, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                                   srcRepStride);
}
/// dstBlkStride has no meaning.
template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void RepeatReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                   const int32_t repeatTime, const int32_t mask,
                                                   const int32_t dstBlkStride, const int32_t srcBlkStride,
                                                   const int32_t dstRepStride, const int32_t srcRepStride) {
  (void)dstBlkStride;
  ReduceRepeat<ReduceType::SUM, T, T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride,
                                                 srcRepStride);
}

/// dst[0] = the sum of the first `count` elements: a tree in each repeat of 256 bytes, the repeats one after
/// the other. sharedTmpBuffer is not used. Without isSetMask the count is in the mask register.
template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const LocalTensor<T>& sharedTmpBuffer, const int32_t count) {
  (void)sharedTmpBuffer;
  toprope::isa::reduce_sum(
      detail::reduce_type<T, T>(), dst.slice(), src.slice(),
      isSetMask ? toprope::isa::VecShape::elements(count) : toprope::isa::VecShape::mask_register(1));
}
/// A tree in each repeat, and a tree over the repeats.
template <class T, class Mask>
[[gnu::always_inline]] inline void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const LocalTensor<T>& sharedTmpBuffer, Mask mask,
                                             const int32_t repeatTime, const int32_t srcRepStride) {
  toprope::isa::reduce_all(toprope::isa::Reduce::Sum, detail::reduce_type<T, T>(), dst.slice(), src.slice(),
                           sharedTmpBuffer.slice(), detail::reduce_mask(true, mask),
                           {repeatTime, 1, 1, srcRepStride}, false);
}

/// dst[0] = the extreme, and with calIndex dst[1] = the bits of its index. sharedTmpBuffer holds what the
/// page computes.
#define TOPROPE_OP(Name, op)                                                                          \
  template <class T>                                                                                  \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,       \
                                          const LocalTensor<T>& sharedTmpBuffer, const int32_t count, \
                                          bool calIndex = false) {                                    \
    toprope::isa::reduce_first(toprope::isa::Reduce::op, detail::reduce_type<T, T>(), dst.slice(),    \
                               src.slice(), sharedTmpBuffer.slice(), count, calIndex);                \
  }                                                                                                   \
  template <class T, class Mask>                                                                      \
  [[gnu::always_inline]] inline void Name(                                                            \
      const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,    \
      Mask mask, const int32_t repeatTime, const int32_t srcRepStride, bool calIndex = false) {       \
    toprope::isa::reduce_all(toprope::isa::Reduce::op, detail::reduce_type<T, T>(), dst.slice(),      \
                             src.slice(), sharedTmpBuffer.slice(), detail::reduce_mask(true, mask),   \
                             {repeatTime, 1, 1, srcRepStride}, calIndex);                             \
  }
TOPROPE_OP(ReduceMax, Max)
TOPROPE_OP(ReduceMin, Min)
#undef TOPROPE_OP

namespace detail {
template <class T>
[[gnu::always_inline]] inline T from_register(uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}
}  // namespace detail

/// The extreme over all repeats of the last maximum or minimum, and the bits of its index.
template <class T>
[[gnu::always_inline]] inline void GetReduceRepeatMaxMinSpr(T& maxMinValue, T& maxMinIndex) {
  const toprope::isa::Extreme extreme = toprope::isa::last_extreme();
  maxMinValue = detail::from_register<T>(extreme.value);
  maxMinIndex = detail::from_register<T>(extreme.index);
}
template <class T>
[[gnu::always_inline]] inline void GetReduceRepeatMaxMinSpr(T& maxMinValue) {
  maxMinValue = detail::from_register<T>(toprope::isa::last_extreme().value);
}
template <class T>
[[gnu::always_inline]] inline void GetReduceMaxMinCount(T& maxMinValue, T& maxMinIndex) {
  GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex);
}
template <class T>
[[gnu::always_inline]] inline void GetReduceMaxMinCount(T& maxMinValue) {
  GetReduceRepeatMaxMinSpr(maxMinValue);
}

/// The last ReduceSum over the first elements of a tensor.
template <class T>
[[gnu::always_inline]] inline T GetReduceRepeatSumSpr() {
  return detail::from_register<T>(toprope::core().vector.sum);
}
template <class T>
[[gnu::always_inline]] inline T GetAccVal() {
  return GetReduceRepeatSumSpr<T>();
}

}  // namespace AscendC
