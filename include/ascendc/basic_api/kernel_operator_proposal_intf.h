// Sorting pairs of a score and an index: Sort32, MrgSort, GetMrgSortResult.
// Source: Ascend C API, memory vector computation, sorting.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/sort.h"

namespace AscendC {

/// Runs of sorted pairs, 8 bytes each.
template <class T>
struct MrgSortSrcList {
  MrgSortSrcList() = default;
  MrgSortSrcList(const LocalTensor<T>& src1In, const LocalTensor<T>& src2In, const LocalTensor<T>& src3In,
                 const LocalTensor<T>& src4In)
      : src1(src1In), src2(src2In), src3(src3In), src4(src4In) {}
  LocalTensor<T> src1, src2, src3, src4;
};

struct MrgSort4Info {
  MrgSort4Info() = default;
  MrgSort4Info(const uint16_t lengths[4], const bool suspend, const uint16_t valid, const uint16_t times)
      : elementLengths{lengths[0], lengths[1], lengths[2], lengths[3]},
        ifExhaustedSuspension(suspend),
        validBit(valid),
        repeatTimes(times) {}
  uint16_t elementLengths[4] = {};     ///< pairs of each run, 0 … 4095
  bool ifExhaustedSuspension = false;  ///< stops when a run is used up
  uint16_t validBit = 15;              ///< 3, 7, 15: the first two, three, four runs
  uint16_t repeatTimes = 1;            ///< 0 … 255; counts for four runs of one length behind one another
};

namespace detail {

template <class T>
constexpr toprope::DType score_type() {
  static_assert(toprope::contains(toprope::isa::kSortTypes, toprope::dtype_of<PrimT<T>>),
                "scores are half or float");
  return toprope::dtype_of<PrimT<T>>;
}

}  // namespace detail

/// Each repeat sorts 32 scores of src0 with their indices in src1, descending, into 256 bytes of dst.
template <class T>
[[gnu::always_inline]] inline void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                          const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
  toprope::isa::sort32(detail::score_type<T>(), dst.slice(), src0.slice(), src1.slice(), repeatTime);
}

/// The runs of src as one, descending.
template <class T>
[[gnu::always_inline]] inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                                           const MrgSort4Info& params) {
  const uint16_t(&n)[4] = params.elementLengths;
  toprope::isa::merge(detail::score_type<T>(), dst.slice(),
                      {{src.src1.slice(), src.src2.slice(), src.src3.slice(), src.src4.slice()},
                       {n[0], n[1], n[2], n[3]},
                       params.validBit,
                       params.ifExhaustedSuspension,
                       params.repeatTimes});
}

/// How many pairs of each run the last MrgSort took.
[[gnu::always_inline]] inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2,
                                                    uint16_t& mrgSortList3, uint16_t& mrgSortList4) {
  uint16_t taken[4];
  toprope::isa::merge_result(taken);
  mrgSortList1 = taken[0], mrgSortList2 = taken[1], mrgSortList3 = taken[2], mrgSortList4 = taken[3];
}

}  // namespace AscendC
