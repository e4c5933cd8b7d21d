// Concat, Sort, Extract and MrgSort of the high-level API, and the sizes of sorted data.
// Source: Ascend C API, high-level API, sorting.
#pragma once
#include "basic_api/kernel_operator_proposal_intf.h"
#include "lib/temporary.h"
#include "toprope/lib/sort.h"

namespace AscendC {

/// Prepares src for Sort, which takes it as it is on this chip: `concat` becomes another name of it.
template <class T>
[[gnu::always_inline]] inline void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src,
                                          const LocalTensor<T>& tmp, const int32_t repeatTime) {
  (void)detail::score_type<T>();
  (void)tmp, (void)repeatTime;
  concat = src;
}

/// Records of a score and an index, 8 bytes each, descending: within each 32, or with isFullSort all of them.
template <class T, bool isFullSort>
[[gnu::always_inline]] inline void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
                                        const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp,
                                        const int32_t repeatTime) {
  toprope::lib::sort(detail::score_type<T>(), dst.slice(), concat.slice(), index.slice(), repeatTime,
                     isFullSort, detail::temporary(tmp));
}

/// Scores and indices of `repeatTime` times 32 records.
template <class T>
[[gnu::always_inline]] inline void Extract(const LocalTensor<T>& dstValue,
                                           const LocalTensor<uint32_t>& dstIndex,
                                           const LocalTensor<T>& sorted, const int32_t repeatTime) {
  toprope::lib::extract(detail::score_type<T>(), dstValue.slice(), dstIndex.slice(), sorted.slice(),
                        repeatTime);
}

/// Up to four sorted runs as one; sortedNum: how many records were taken of each.
template <class T, bool isExhaustedSuspension = false>
[[gnu::always_inline]] inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
                                           const uint16_t elementCountList[4], uint32_t sortedNum[4],
                                           uint16_t validBit, const int32_t repeatTime) {
  const uint16_t* n = elementCountList;
  uint32_t taken[4];
  toprope::lib::merge_sorted(
      detail::score_type<T>(), dst.slice(),
      {{sortList.src1.slice(), sortList.src2.slice(), sortList.src3.slice(), sortList.src4.slice()},
       {n[0], n[1], n[2], n[3]},
       validBit,
       isExhaustedSuspension,
       static_cast<uint16_t>(repeatTime)},
      taken);
  for (int i = 0; i < 4; ++i) sortedNum[i] = taken[i];
}

/// Where the record of an element lies in sorted data, in elements of T, and the elements that records take.
template <class T>
constexpr uint32_t GetSortOffset(const uint32_t elemOffset) {
  return elemOffset * (toprope::isa::kRecordBytes / sizeof(T));
}
template <class T>
constexpr uint32_t GetSortLen(const uint32_t elemCount) {
  return elemCount * (toprope::isa::kRecordBytes / sizeof(T));
}

}  // namespace AscendC
