// Sum, Mean, ReduceXorSum, and the reductions of an axis that a pattern names. Source: Ascend C API,
// high-level API, reductions.
#pragma once
#include "basic_api/kernel_operator_vec_reduce_intf.h"
#include "lib/reduce/reduce_pattern.h"
#include "lib/temporary.h"
#include "toprope/lib/reduction.h"

namespace AscendC {

/// outter rows of n elements; inner: n rounded up to 32 bytes.
struct SumParams {
  uint32_t outter = 1;
  uint32_t inner, n;
};
struct MeanParams {
  uint32_t outter = 1;
  uint32_t inner, n;
};

namespace detail {
template <class T>
constexpr toprope::DType sum_type() {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "Sum and Mean take half or float on this chip");
  return type;
}
}  // namespace detail

/// dst[r] = the sum of row r: a binary tree over neighbours in each repeat. No temporary memory is used.
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                       const SumParams& sumParams) {
  static_assert(reduceDim == -1, "Sum adds up the last axis: reduceDim is -1");
  toprope::lib::sum(detail::sum_type<T>(), dstTensor.slice(), srcTensor.slice(),
                    {sumParams.outter, sumParams.n, sumParams.inner});
}
template <class T, int32_t reduceDim = -1, bool isReuseSource = false, bool isBasicBlock = false>
[[gnu::always_inline]] inline void Sum(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                                       const SumParams& sumParams) {
  (void)sharedTmpBuffer;
  Sum<T, reduceDim, isReuseSource, isBasicBlock>(dstTensor, srcTensor, sumParams);
}

namespace detail {
template <class T, class accType>
[[gnu::always_inline]] inline void mean(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                        const MeanParams& p, const toprope::lib::Temporary& memory) {
  static_assert(sizeof(PrimT<accType>) >= sizeof(PrimT<T>), "accType of Mean is not less precise than T");
  toprope::lib::mean(sum_type<T>(), sum_type<accType>(), dst.slice(), src.slice(), {p.outter, p.n, p.inner},
                     memory);
}
}  // namespace detail

/// dst[r] = the mean of row r, added up and divided in accType.
template <class T, class accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
[[gnu::always_inline]] inline void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                                        const MeanParams& meanParams) {
  detail::mean<T, accType>(dstTensor, srcTensor, meanParams, detail::temporary(sharedTmpBuffer));
}
template <class T, class accType = T, bool isReuseSource = false, bool isBasicBlock = false,
          int32_t reduceDim = -1>
[[gnu::always_inline]] inline void Mean(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                        const MeanParams& meanParams) {
  detail::mean<T, accType>(dstTensor, srcTensor, meanParams, toprope::lib::Temporary());
}

/// dst[0] = the sum of src0 ^ src1, clamped to int16_t.
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void ReduceXorSum(const LocalTensor<T>& dstTensor,
                                                const LocalTensor<T>& src0Tensor,
                                                const LocalTensor<T>& src1Tensor,
                                                const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                const uint32_t calCount) {
  static_assert(std::is_same_v<PrimT<T>, int16_t>, "ReduceXorSum takes int16_t");
  toprope::lib::reduce_xor_sum(dstTensor.slice(), src0Tensor.slice(), src1Tensor.slice(), calCount,
                               detail::temporary(sharedTmpBuffer));
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void ReduceXorSum(const LocalTensor<T>& dstTensor,
                                                const LocalTensor<T>& src0Tensor,
                                                const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  static_assert(std::is_same_v<PrimT<T>, int16_t>, "ReduceXorSum takes int16_t");
  toprope::lib::reduce_xor_sum(dstTensor.slice(), src0Tensor.slice(), src1Tensor.slice(), calCount,
                               toprope::lib::Temporary());
}

namespace detail {
/// srcInnerPad: rows in UB start at multiples of 32 bytes, as this chip wants it.
template <class T, class pattern>
[[gnu::always_inline]] inline void reduce_pattern(toprope::lib::Reduction what, const LocalTensor<T>& dst,
                                                  const LocalTensor<T>& src, const uint32_t shape[],
                                                  const toprope::lib::Temporary& memory) {
  static_assert(pattern::pattern == ReducePattern::AR || pattern::pattern == ReducePattern::RA,
                "this chip reduces the patterns AR and RA");
  constexpr uint32_t unit = ONE_BLK_SIZE / sizeof(PrimT<T>);
  toprope::lib::reduce(what, pattern::pattern == ReducePattern::AR, toprope::dtype_of<PrimT<T>>, dst.slice(),
                       src.slice(), {shape[0], shape[1], (shape[1] + unit - 1) / unit * unit}, memory);
}
}  // namespace detail

// A result for each row (AR) or column (RA) of src, whose two extents are in srcShape.
#define TOPROPE_REDUCE(Name, what, Types)                                                                   \
  template <class T, class pattern, bool isReuseSource = false>                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, \
                                          const LocalTensor<uint8_t>& sharedTmpBuffer,                      \
                                          const uint32_t srcShape[], bool srcInnerPad) {                    \
    static_assert(toprope::contains(toprope::types::Types, toprope::dtype_of<PrimT<T>>),                    \
                  #Name " does not take this element type on this chip; see its page in the Ascend C API"); \
    (void)srcInnerPad;                                                                                      \
    detail::reduce_pattern<T, pattern>(toprope::lib::Reduction::what, dstTensor, srcTensor, srcShape,       \
                                       detail::temporary(sharedTmpBuffer));                                 \
  }                                                                                                         \
  template <class T, class pattern, bool isReuseSource = false>                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, \
                                          const uint32_t srcShape[], bool srcInnerPad) {                    \
    static_assert(toprope::contains(toprope::types::Types, toprope::dtype_of<PrimT<T>>),                    \
                  #Name " does not take this element type on this chip; see its page in the Ascend C API"); \
    (void)srcInnerPad;                                                                                      \
    detail::reduce_pattern<T, pattern>(toprope::lib::Reduction::what, dstTensor, srcTensor, srcShape,       \
                                       toprope::lib::Temporary());                                          \
  }
TOPROPE_REDUCE(ReduceSum, Sum, F32)
TOPROPE_REDUCE(ReduceMean, Mean, F32)
TOPROPE_REDUCE(ReduceMax, Max, F32 | toprope::types::F16)
TOPROPE_REDUCE(ReduceMin, Min, F32 | toprope::types::F16)
TOPROPE_REDUCE(ReduceAny, Any, F32 | toprope::types::U8)
TOPROPE_REDUCE(ReduceAll, All, F32 | toprope::types::U8)
TOPROPE_REDUCE(ReduceProd, Prod, F32)
#undef TOPROPE_REDUCE

}  // namespace AscendC
