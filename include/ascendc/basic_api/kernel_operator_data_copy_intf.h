// DataCopy, DataCopyPad, Copy: data between GM and UB (and L1), and inside UB.
// Source: Ascend C API, memory vector computation, data movement.
#pragma once
#include "basic_api/kernel_operands.h"
#include "basic_api/kernel_struct_data_copy.h"
#include "toprope/isa/copy.h"

namespace AscendC {

namespace detail {

template <class T>
inline constexpr uint32_t element_size = sizeof(PrimT<T>);

/// The element types that DataCopy documents for this chip: any of 8, 16, 32 or 64 bits.
template <class T, uint32_t most = 8>
constexpr bool movable() {
  using P = PrimT<T>;
  return sizeof(P) <= most &&
         (std::is_arithmetic_v<P> || std::is_same_v<P, half> || std::is_same_v<P, bfloat16_t>);
}

[[gnu::always_inline]] inline toprope::isa::BlockMove blocks(const DataCopyParams& p) {
  return {p.blockCount, p.blockLen, p.srcGap, p.dstGap};
}

[[gnu::always_inline]] inline toprope::isa::RowMove rows(const DataCopyParams& p) {
  return {p.blockCount, p.blockLen, p.srcGap, p.dstGap};
}

[[gnu::always_inline]] inline toprope::isa::RowMove rows(const DataCopyExtParams& p) {
  return {p.blockCount, p.blockLen, p.srcStride, p.dstStride};
}

template <class T>
[[gnu::always_inline]] inline toprope::isa::Padding padding(const DataCopyPadExtParams<T>& p) {
  return {p.isPad, p.leftPadding, p.rightPadding, toprope::isa::scalar_of(p.paddingValue)};
}

[[gnu::always_inline]] inline toprope::isa::Padding padding(const DataCopyPadParams& p) {
  return {p.isPad, p.leftPadding, p.rightPadding, toprope::isa::scalar_of(p.paddingValue)};
}

}  // namespace detail

#define TOPROPE_MOVABLE(T, most, name)      \
  static_assert(detail::movable<T, most>(), \
                name " does not take this element type on this chip; see its page in the Ascend C API")

#define TOPROPE_COPY(Dst, Src)                                                                              \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void DataCopy(const Dst<T>& dst, const Src<T>& src, const uint32_t count) { \
    TOPROPE_MOVABLE(T, 8, "DataCopy");                                                                      \
    constexpr uint32_t element = detail::element_size<T>;                                                   \
    toprope::isa::copy(dst.slice(), src.slice(), uint64_t{count} * element, element);                       \
  }                                                                                                         \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void DataCopy(const Dst<T>& dst, const Src<T>& src,                         \
                                              const DataCopyParams& repeatParams) {                         \
    TOPROPE_MOVABLE(T, 8, "DataCopy");                                                                      \
    toprope::isa::copy(dst.slice(), src.slice(), detail::blocks(repeatParams), detail::element_size<T>);    \
  }
TOPROPE_COPY(LocalTensor, GlobalTensor)
TOPROPE_COPY(GlobalTensor, LocalTensor)
TOPROPE_COPY(LocalTensor, LocalTensor)
#undef TOPROPE_COPY

#define TOPROPE_COPY_SLICE(Dst, Src)                                                                         \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void DataCopy(const Dst<T>& dst, const Src<T>& src,                          \
                                              const SliceInfo dstSliceInfo[],                                \
                                              const SliceInfo srcSliceInfo[], const uint32_t dimValue = 1) { \
    TOPROPE_MOVABLE(T, 4, "DataCopy with SliceInfo");                                                        \
    toprope::isa::copy_slice(dst.slice(), src.slice(), dstSliceInfo, srcSliceInfo, dimValue,                 \
                             detail::element_size<T>);                                                       \
  }
TOPROPE_COPY_SLICE(LocalTensor, GlobalTensor)
TOPROPE_COPY_SLICE(GlobalTensor, LocalTensor)
#undef TOPROPE_COPY_SLICE

template <class T>
[[gnu::always_inline]] inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                            const Nd2NzParams& p) {
  TOPROPE_MOVABLE(T, 4, "DataCopy with Nd2NzParams");
  toprope::isa::copy_nd2nz(dst.slice(), src.slice(),
                           {p.ndNum, p.nValue, p.dValue, p.srcNdMatrixStride, p.srcDValue, p.dstNzC0Stride,
                            p.dstNzNStride, p.dstNzMatrixStride},
                           detail::element_size<T>);
}

template <class T>
[[gnu::always_inline]] inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                            const Nz2NdParamsFull& p) {
  static_assert(detail::movable<T, 4>() && sizeof(PrimT<T>) >= 2,
                "DataCopy with Nz2NdParamsFull takes types of 16 and 32 bits on this chip");
  toprope::isa::copy_nz2nd(
      dst.slice(), src.slice(),
      {p.ndNum, p.nValue, p.dValue, p.srcNdMatrixStride, p.srcNStride, p.dstDStride, p.dstNdMatrixStride},
      detail::element_size<T>);
}

#define TOPROPE_COPY_PAD_IN(Params, PadParams)                                                               \
  template <class T, PaddingMode mode = PaddingMode::Normal>                                                 \
  [[gnu::always_inline]] inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,      \
                                                 const Params& dataCopyParams, const PadParams& padParams) { \
    TOPROPE_MOVABLE(T, 8, "DataCopyPad");                                                                    \
    static_assert(mode == PaddingMode::Normal, "PaddingMode::Compact does not exist on this chip");          \
    toprope::isa::copy_pad(dst.slice(), src.slice(), detail::rows(dataCopyParams),                           \
                           detail::padding(padParams), detail::element_size<T>);                             \
  }
TOPROPE_COPY_PAD_IN(DataCopyExtParams, DataCopyPadExtParams<PrimT<T>>)
TOPROPE_COPY_PAD_IN(DataCopyParams, DataCopyPadParams)
#undef TOPROPE_COPY_PAD_IN

#define TOPROPE_COPY_PAD_OUT(Params)                                                                         \
  template <class T, PaddingMode mode = PaddingMode::Normal>                                                 \
  [[gnu::always_inline]] inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,      \
                                                 const Params& dataCopyParams) {                             \
    TOPROPE_MOVABLE(T, 8, "DataCopyPad");                                                                    \
    static_assert(mode == PaddingMode::Normal, "PaddingMode::Compact does not exist on this chip");          \
    toprope::isa::copy_pad(dst.slice(), src.slice(), detail::rows(dataCopyParams), detail::element_size<T>); \
  }
TOPROPE_COPY_PAD_OUT(DataCopyExtParams)
TOPROPE_COPY_PAD_OUT(DataCopyParams)
#undef TOPROPE_COPY_PAD_OUT

/// The fill of the DataCopyPad calls whose isPad is false.
template <class T, TPosition pos = TPosition::MAX>
[[gnu::always_inline]] inline void SetPadValue(T paddingValue) {
  static_assert(pos == TPosition::MAX || pos == TPosition::VECIN || pos == TPosition::VECOUT,
                "SetPadValue takes the positions VECIN, VECOUT and MAX");
  TOPROPE_MOVABLE(T, 8, "SetPadValue");
  toprope::isa::set_pad_value(toprope::isa::scalar_of(paddingValue));
}

#undef TOPROPE_MOVABLE

#define TOPROPE_COPY_MASKED(Mask)                                                                       \
  template <class T, bool isSetMask = true>                                                             \
  [[gnu::always_inline]] inline void Copy(const LocalTensor<T>& dst, const LocalTensor<T>& src,         \
                                          const uint64_t Mask, const uint8_t repeatTime,                \
                                          const CopyRepeatParams& repeatParams) {                       \
    static_assert(sizeof(PrimT<T>) == 2 || sizeof(PrimT<T>) == 4,                                       \
                  "Copy takes types of 16 and 32 bits on this chip");                                   \
    toprope::isa::copy_masked(toprope::dtype_of<PrimT<T>>,                                              \
                              detail::operand(dst, repeatParams.dstStride, repeatParams.dstRepeatSize), \
                              detail::operand(src, repeatParams.srcStride, repeatParams.srcRepeatSize), \
                              detail::repeats(isSetMask, mask, repeatTime));                            \
  }
TOPROPE_COPY_MASKED(mask[])
TOPROPE_COPY_MASKED(mask)
#undef TOPROPE_COPY_MASKED

}  // namespace AscendC
