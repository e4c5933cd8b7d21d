// DropOut. Source: Ascend C API, high-level API, data filtering.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/filter.h"

namespace AscendC {

/// Extents of src and mask, the mask's in its own elements (bytes).
struct DropOutShapeInfo {
  uint32_t firstAxis = 0, srcLastAxis = 0, maskLastAxis = 0;
};

namespace detail {
/// Modes 1 and 2: a byte an element; 3 and 4: a bit. 0: what the shapes say.
[[gnu::always_inline]] inline bool drops_by_bits(uint32_t mode, const DropOutShapeInfo& info) {
  return mode == 0 ? info.maskLastAxis < info.srcLastAxis : mode >= 3;
}

template <class T, uint32_t mode>
[[gnu::always_inline]] inline void drop_out(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                            const LocalTensor<uint8_t>& mask, float keep,
                                            const DropOutShapeInfo& info,
                                            const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "DropOut takes half or float on this chip");
  static_assert(mode <= 4, "the modes of DropOut are 0 to 4");
  toprope::lib::drop_out(type, dst.slice(), src.slice(), mask.slice(), drops_by_bits(mode, info), keep,
                         {info.firstAxis, info.srcLastAxis, info.maskLastAxis}, memory);
}
}  // namespace detail

/// dst = mask ? src / keepProb : 0. dst may be src.
template <class T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
[[gnu::always_inline]] inline void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                           const LocalTensor<uint8_t>& maskLocal,
                                           const LocalTensor<uint8_t>& sharedTmpBuffer, const float keepProb,
                                           const DropOutShapeInfo& info) {
  detail::drop_out<T, dropOutMode>(dstLocal, srcLocal, maskLocal, keepProb, info,
                                   detail::temporary(sharedTmpBuffer));
}
template <class T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
[[gnu::always_inline]] inline void DropOut(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                           const LocalTensor<uint8_t>& maskLocal, const float keepProb,
                                           const DropOutShapeInfo& info) {
  detail::drop_out<T, dropOutMode>(dstLocal, srcLocal, maskLocal, keepProb, info, toprope::lib::Temporary());
}

}  // namespace AscendC
