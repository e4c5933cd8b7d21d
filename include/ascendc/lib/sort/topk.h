// TopK. Source: Ascend C API, high-level API, sorting, TopK.
#pragma once
#include "kernel_tiling/kernel_tiling.h"
#include "lib/sort/topk_mode.h"
#include "lib/temporary.h"
#include "toprope/lib/sort.h"

namespace AscendC {

/// Rows of `inner` elements, a multiple of 32 (and 32 in small mode), of which n are the caller's.
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner;
  int32_t n;
};

namespace detail {
template <class T, bool isInitIndex, bool isHasfinish, TopKMode mode, const TopKConfig& config>
[[gnu::always_inline]] inline void top_k(const LocalTensor<T>& values, const LocalTensor<int32_t>& indices,
                                         const LocalTensor<T>& src, const LocalTensor<int32_t>& src_indices,
                                         const LocalTensor<bool>& finished, int32_t k, const TopKInfo& info,
                                         bool largest, const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  constexpr bool small = mode == TopKMode::TOPK_NSMALL;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "TopK takes half or float on this chip");
  static_assert(config.algo == TopKAlgo::MERGE_SORT && config.order == TopKOrder::UNSET && config.sorted,
                "TopK on this chip is configured by its arguments: TopKConfig keeps its defaults");
  const toprope::Slice of_src = src_indices.slice(), of_finished = finished.slice();
  toprope::lib::top_k(
      type,
      {values.slice(), indices.slice(), src.slice(), isInitIndex ? &of_src : nullptr,
       isHasfinish ? &of_finished : nullptr},
      {static_cast<uint32_t>(info.outter), static_cast<uint32_t>(info.inner), static_cast<uint32_t>(info.n)},
      static_cast<uint32_t>(k), small, largest, memory);
}
}  // namespace detail

/// The k largest (or smallest) of each row and their indices, in order; of equal ones the first, NaN before
/// all.
template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
[[gnu::always_inline]] inline void TopK(
    const LocalTensor<T>& dstValueLocal, const LocalTensor<int32_t>& dstIndexLocal,
    const LocalTensor<T>& srcLocal, const LocalTensor<int32_t>& srcIndexLocal,
    const LocalTensor<bool>& finishLocal, const LocalTensor<uint8_t>& tmpLocal, const int32_t k,
    const TopkTiling& tilling, const TopKInfo& topKInfo, const bool isLargest = true) {
  (void)tilling;
  detail::top_k<T, isInitIndex, isHasfinish, topkMode, config>(dstValueLocal, dstIndexLocal, srcLocal,
                                                               srcIndexLocal, finishLocal, k, topKInfo,
                                                               isLargest, detail::temporary(tmpLocal));
}
template <class T, bool isInitIndex = false, bool isHasfinish = false, bool isReuseSrc = false,
          TopKMode topkMode = TopKMode::TOPK_NORMAL, const TopKConfig& config = defaultTopKConfig>
[[gnu::always_inline]] inline void TopK(const LocalTensor<T>& dstValueLocal,
                                        const LocalTensor<int32_t>& dstIndexLocal,
                                        const LocalTensor<T>& srcLocal,
                                        const LocalTensor<int32_t>& srcIndexLocal,
                                        const LocalTensor<bool>& finishLocal, const int32_t k,
                                        const TopkTiling& tilling, const TopKInfo& topKInfo,
                                        const bool isLargest = true) {
  (void)tilling;
  detail::top_k<T, isInitIndex, isHasfinish, topkMode, config>(dstValueLocal, dstIndexLocal, srcLocal,
                                                               srcIndexLocal, finishLocal, k, topKInfo,
                                                               isLargest, toprope::lib::Temporary());
}

}  // namespace AscendC
