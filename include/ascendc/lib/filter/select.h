// Select by a mask of whole elements. Source: Ascend C API, high-level API, data filtering.
#pragma once
#include "basic_api/kernel_operator_vec_cmpsel_intf.h"
#include "lib/temporary.h"
#include "toprope/lib/filter.h"

namespace AscendC {

/// Extents of the source and of the mask, whose rows may be longer; both end at multiples of 32 bytes.
struct SelectWithBytesMaskShapeInfo {
  uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};

namespace detail {
template <class T, class U>
[[gnu::always_inline]] inline void select_bytes(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                float value, bool value_first, const LocalTensor<U>& mask,
                                                const LocalTensor<uint8_t>& memory,
                                                const SelectWithBytesMaskShapeInfo& info) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "Select takes half or float on this chip");
  static_assert(std::is_integral_v<PrimT<U>> && sizeof(PrimT<U>) <= 4,
                "a mask of Select has integers of up to 32 bits");
  toprope::lib::select_bytes(type, dst.slice(), src.slice(), value, value_first, toprope::dtype_of<PrimT<U>>,
                             mask.slice(), {info.firstAxis, info.srcLastAxis, info.maskLastAxis},
                             temporary(memory));
}
}  // namespace detail

/// dst = mask == 0 ? src0 : src1. dst may be the source; the mask is not changed, whatever isReuseMask says.
template <class T, class U, bool isReuseMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                          PrimT<T> src1, const LocalTensor<U>& mask,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                                          const SelectWithBytesMaskShapeInfo& info) {
  detail::select_bytes(dst, src0, static_cast<float>(src1), false, mask, sharedTmpBuffer, info);
}
template <class T, class U, bool isReuseMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, PrimT<T> src0,
                                          const LocalTensor<T>& src1, const LocalTensor<U>& mask,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                                          const SelectWithBytesMaskShapeInfo& info) {
  detail::select_bytes(dst, src1, static_cast<float>(src0), true, mask, sharedTmpBuffer, info);
}

}  // namespace AscendC
