// Pad and UnPad. Source: Ascend C API, high-level API, tensor transformation.
#pragma once
#include "kernel_tiling/kernel_tiling.h"
#include "lib/temporary.h"
#include "toprope/lib/transform.h"

namespace AscendC {

/// Columns to add on each side, and what they hold.
struct PadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};

/// Columns to take away; leftPad has no effect on this chip.
struct UnPadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
};

namespace detail {
template <class T>
constexpr toprope::DType pad_type() {
  using namespace toprope::types;
  static_assert(toprope::contains(I16 | U16 | F16 | I32 | U32 | F32, toprope::dtype_of<PrimT<T>>),
                "Pad and UnPad take types of 16 and 32 bits; see their pages in the Ascend C API");
  return toprope::dtype_of<PrimT<T>>;
}
template <class T>
[[gnu::always_inline]] inline void pad(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                       const PadParams& p, const PadTiling& t,
                                       const toprope::lib::Temporary& memory) {
  toprope::lib::pad(pad_type<T>(), dst.slice(), src.slice(),
                    {t.srcHeight, t.srcWidth, t.srcOriWidth, p.leftPad, p.rightPad}, p.padValue, memory);
}
}  // namespace detail

/// Rows that do not end at a multiple of 32 bytes then do; of rows that do, the columns behind those that
/// count get padValue (right side only).
template <class T>
[[gnu::always_inline]] inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                       const PadParams& padParams,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const PadTiling& tiling) {
  detail::pad(dstTensor, srcTensor, padParams, tiling, detail::temporary(sharedTmpBuffer));
}
template <class T>
[[gnu::always_inline]] inline void Pad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                       const PadParams& padParams, const PadTiling& tiling) {
  detail::pad(dstTensor, srcTensor, padParams, tiling, toprope::lib::Temporary());
}

/// Rows without their last rightPad columns, behind one another. No temporary memory is used.
template <class T>
[[gnu::always_inline]] inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                         const UnPadParams& unPadParams, const UnPadTiling& tiling) {
  toprope::lib::unpad(detail::pad_type<T>(), dstTensor.slice(), srcTensor.slice(), tiling.srcHeight,
                      tiling.srcWidth, unPadParams.rightPad);
}
template <class T>
[[gnu::always_inline]] inline void UnPad(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,
                                         const UnPadParams& unPadParams,
                                         const LocalTensor<uint8_t>& sharedTmpBuffer,
                                         const UnPadTiling& tiling) {
  (void)sharedTmpBuffer;
  toprope::lib::unpad(detail::pad_type<T>(), dstTensor.slice(), srcTensor.slice(), tiling.srcHeight,
                      tiling.srcWidth, unPadParams.rightPad);
}

}  // namespace AscendC
