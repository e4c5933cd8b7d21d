// Transpose and TransDataTo5HD.
// Source: Ascend C API, memory vector computation, data layout.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/transpose.h"

namespace AscendC {

enum class TransposeType : uint8_t {
  TRANSPOSE_TYPE_NONE,  ///< nothing happens
  TRANSPOSE_NZ2ND_0213,
  TRANSPOSE_NZ2NZ_0213,
  TRANSPOSE_NZ2NZ_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITH_N,
  TRANSPOSE_NZ2ND_012_WITHOUT_N,
  TRANSPOSE_NZ2NZ_012_WITHOUT_N,
  TRANSPOSE_ND2ND_ONLY,
  TRANSPOSE_ND_UB_GM,
  TRANSPOSE_GRAD_ND_UB_GM,
  TRANSPOSE_ND2ND_B16,  ///< 16 x 16 elements
  TRANSPOSE_NCHW2NHWC,
  TRANSPOSE_NHWC2NCHW
};

/// Extents in elements; without meaning for TRANSPOSE_ND2ND_B16.
struct TransposeParamsExt {
  TransposeParamsExt() = default;
  TransposeParamsExt(const uint16_t n, const uint16_t c, const uint16_t h, const uint16_t w,
                     const TransposeType type)
      : nSize(n), cSize(c), hSize(h), wSize(w), transposeType(type) {}
  uint16_t nSize = 0, cSize = 0, hSize = 0, wSize = 0;
  TransposeType transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
};

inline constexpr int32_t NCHW_CONV_ADDR_LIST_SIZE = 16;

/// Strides in DataBlocks. A single repeat starts a stride behind the listed places.
struct TransDataTo5HDParams {
  TransDataTo5HDParams() = default;
  TransDataTo5HDParams(const bool dstHigh, const bool srcHigh, const uint8_t times, const uint16_t dstRep,
                       const uint16_t srcRep)
      : dstHighHalf(dstHigh),
        srcHighHalf(srcHigh),
        repeatTimes(times),
        dstRepStride(dstRep),
        srcRepStride(srcRep) {}
  bool dstHighHalf = false, srcHighHalf = false;  ///< types of 8 bits: which half of each block
  uint8_t repeatTimes = 1;
  uint16_t dstRepStride = 0, srcRepStride = 0;
};

namespace detail {

template <class T>
constexpr toprope::DType to_5hd_type() {
  static_assert(
      toprope::contains(toprope::isa::kTo5hdTypes, toprope::dtype_of<PrimT<T>>),
      "TransDataTo5HD does not take this element type on this chip; see its page in the Ascend C API");
  return toprope::dtype_of<PrimT<T>>;
}

[[gnu::always_inline]] inline toprope::isa::To5hd to_5hd(const TransDataTo5HDParams& p) {
  return {p.dstHighHalf, p.srcHighHalf, p.repeatTimes, p.dstRepStride, p.srcRepStride};
}

}  // namespace detail

/// 16 x 16 elements; dst may be src.
template <class T>
[[gnu::always_inline]] inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src) {
  static_assert(toprope::contains(toprope::isa::kTransposeTypes, toprope::dtype_of<PrimT<T>>),
                "Transpose takes int16_t, uint16_t and half");
  toprope::isa::transpose(dst.slice(), src.slice());
}

/// sharedTmpBuffer is as large as the page computes it from cSize.
template <class T>
[[gnu::always_inline]] inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                                             const TransposeParamsExt& transposeParams) {
  static_assert(toprope::contains(toprope::isa::kTo5hdTypes, toprope::dtype_of<PrimT<T>>),
                "Transpose does not take this element type on this chip; see its page in the Ascend C API");
  const TransposeParamsExt& p = transposeParams;
  toprope::isa::transpose_layout(toprope::dtype_of<PrimT<T>>, dst.slice(), src.slice(),
                                 sharedTmpBuffer.slice(), {p.nSize, p.cSize, p.hSize, p.wSize},
                                 static_cast<toprope::isa::Transposition>(p.transposeType));
}

/// The elements of 16 blocks of src as columns of 16 blocks of dst; the lists hold addresses in UB, as
/// GetPhyAddr() gives them.
template <class T>
[[gnu::always_inline]] inline void TransDataTo5HD(uint64_t dstList[NCHW_CONV_ADDR_LIST_SIZE],
                                                  uint64_t srcList[NCHW_CONV_ADDR_LIST_SIZE],
                                                  const TransDataTo5HDParams& nchwconvParams) {
  using List = const uint64_t(&)[NCHW_CONV_ADDR_LIST_SIZE];
  toprope::isa::trans_to_5hd(detail::to_5hd_type<T>(), reinterpret_cast<List>(*dstList),
                             reinterpret_cast<List>(*srcList), detail::to_5hd(nchwconvParams));
}
/// The lists lie in UB.
template <class T>
[[gnu::always_inline]] inline void TransDataTo5HD(const LocalTensor<uint64_t>& dst,
                                                  const LocalTensor<uint64_t>& src,
                                                  const TransDataTo5HDParams& nchwconvParams) {
  toprope::isa::trans_to_5hd(detail::to_5hd_type<T>(), dst.slice(), src.slice(),
                             detail::to_5hd(nchwconvParams));
}
template <class T>
[[gnu::always_inline]] inline void TransDataTo5HD(const LocalTensor<T> (&dstList)[NCHW_CONV_ADDR_LIST_SIZE],
                                                  const LocalTensor<T> (&srcList)[NCHW_CONV_ADDR_LIST_SIZE],
                                                  const TransDataTo5HDParams& nchwconvParams) {
  toprope::Slice dst[NCHW_CONV_ADDR_LIST_SIZE], src[NCHW_CONV_ADDR_LIST_SIZE];
  for (int32_t i = 0; i < NCHW_CONV_ADDR_LIST_SIZE; ++i) {
    dst[i] = dstList[i].slice();
    src[i] = srcList[i].slice();
  }
  toprope::isa::trans_to_5hd(detail::to_5hd_type<T>(), dst, src, detail::to_5hd(nchwconvParams));
}

}  // namespace AscendC
